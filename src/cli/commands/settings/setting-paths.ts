import { InvalidArgumentError } from "commander";
import { features } from "#api/operations.ts";
import { type DeclaredPath, declaredSettings } from "#contract/core-settings.ts";
import { moduleOf } from "#contract/define-feature.ts";
import { eitherOf, type Setting, type SettingsSection, wordsOf } from "#contract/define-settings.ts";

/** What a setting is for, with the words that it takes. */
export const aboutOf = (setting: Setting): string => {
  const { about = setting.label } = setting;
  const words = wordsOf(setting);
  switch (setting.kind) {
    case "integer":
      return `${about}, ${setting.min} to ${setting.max}`;
    case "duration":
      return `${about}: ${words.join(", ")}, or the same in milliseconds`;
    case "choice":
      return `${about}: ${eitherOf(words)}`;
    case "page":
      return `${about}: ${words.join(", ")} or the path of a page`;
    case "list":
      return setting.hasLines ? `${about}, one per line` : `${about}, separated by commas`;
    default:
      return about;
  }
};

// Those that can be shown come first in their group.
const inOrder = (settings: SettingsSection["settings"]) => {
  const place = (path: string) => settings.findIndex(([other]) => other.split(".")[0] === path.split(".")[0]);
  const isSecret = ({ kind }: Setting) => Number(kind === "secret");
  return settings.toSorted(
    ([one, first], [other, second]) => place(one) - place(other) || isSecret(first) - isSecret(second),
  );
};

/** The settings of own features, and under which module their operations are. */
export const featureSections = features.flatMap((feature) =>
  feature.settings === undefined ? [] : [{ section: feature.settings, module: moduleOf(feature) }],
);

/** All sections. */
export const settingSections: readonly SettingsSection[] = [
  ...Object.values(declaredSettings),
  ...featureSections.map(({ section }) => section),
];

/** Every setting by its path. A secret is never shown, and never taken from an argument. */
export const settingPaths = Object.fromEntries(
  settingSections.flatMap(({ name, settings }) =>
    inOrder(settings).map(([path, setting]) => [`${name}.${path}`, setting]),
  ),
  // The paths of the sections are what their types list; those of features are as good as these.
) as Readonly<Record<DeclaredPath, Setting>>;

/** Whether a text names a setting. */
export const isSettingPath = (text: string): text is DeclaredPath => Object.hasOwn(settingPaths, text);

/** What begins with the name of a section. */
export const pathLike = new RegExp(
  `^(?:${settingSections.map(({ name }) => name).join("|")})(?:\\.\\w{0,60})*$`,
);

/** The path that was typed. Throws, with what was likely meant, when there is no such setting. */
export const settingPath = (text: string): DeclaredPath => {
  if (isSettingPath(text)) return text;
  const last = text.split(".").at(-1)?.toLowerCase() ?? "";
  const near = Object.keys(settingPaths).filter((path) => path.toLowerCase().endsWith(`.${last}`));
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : "see: atrium settings get";
  // What does not look like a path may be a secret in the wrong place, which is not to be repeated.
  const name = pathLike.test(text) ? ` "${text}"` : "";
  throw new InvalidArgumentError(`Unknown setting${name}; ${hint}`);
};

/** The settings with their kinds, for a command's help. */
export const settingsHelp = (): string => {
  const width = Math.max(...Object.keys(settingPaths).map((path) => path.length));
  const lines = Object.entries(settingPaths).map(
    ([path, setting]) => `  ${path.padEnd(width)}  ${aboutOf(setting)}`,
  );
  return `\nSettings:\n${lines.join("\n")}\n`;
};

import { InvalidArgumentError } from "commander";
import { type DeclaredPath, declaredSettings } from "#contract/declared-settings.ts";
import { type Setting, wordsOf } from "#contract/define-settings.ts";

/**
 * A setting of the command line: what it holds, what it is for, and its declaration if it has one. A secret is never
 * shown, and never taken from an argument.
 */
export type CliSetting = {
  kind: Setting["kind"] | "endpoint" | "secret";
  about: string;
  declared?: Setting;
};

const aboutOf = (setting: Setting): string => {
  const { about = setting.label } = setting;
  const words = wordsOf(setting);
  switch (setting.kind) {
    case "integer":
      return `${about}, ${setting.min} to ${setting.max}`;
    case "duration":
      return `${about}: ${words.join(", ")}, or the same in milliseconds`;
    case "choice":
      return `${about}: ${words.join(" or ")}`;
    default:
      return about;
  }
};

const declared = Object.fromEntries(
  Object.values(declaredSettings).flatMap(({ name, settings }) =>
    settings.map(([path, setting]) => [
      `${name}.${path}`,
      { kind: setting.kind, about: aboutOf(setting), declared: setting },
    ]),
  ),
  // The paths of the sections are what their types list.
) as Record<DeclaredPath, CliSetting>;

const credentials = {
  "credentials.redis.endpoint": { kind: "endpoint", about: "redis[s]://host[:port][/db]" },
  "credentials.redis.password": { kind: "secret", about: "password of Redis" },
  "credentials.cloudflareR2.bucket": { kind: "text", about: "name of the bucket" },
  "credentials.cloudflareR2.endpointS3": { kind: "endpoint", about: "https address of the object storage" },
  "credentials.cloudflareR2.token": { kind: "secret", about: "API token of Cloudflare" },
  "credentials.cloudflareR2.accessKeyId": { kind: "secret", about: "id of the access key" },
  "credentials.cloudflareR2.secretAccessKey": { kind: "secret", about: "secret of the access key" },
} as const satisfies Record<string, CliSetting>;

export type SettingPath = DeclaredPath | keyof typeof credentials;

/** Every setting by its path. */
export const settingPaths: Readonly<Record<SettingPath, CliSetting>> = {
  ...declared,
  ...credentials,
};

/** Whether a text names a setting. */
export const isSettingPath = (text: string): text is SettingPath => Object.hasOwn(settingPaths, text);

/** The path that was typed. Throws, with what was likely meant, when there is no such setting. */
export const settingPath = (text: string): SettingPath => {
  if (isSettingPath(text)) return text;
  const last = text.split(".").at(-1)?.toLowerCase() ?? "";
  const near = Object.keys(settingPaths).filter((path) => path.toLowerCase().endsWith(`.${last}`));
  const hint = near.length > 0 ? `did you mean ${near.join(" or ")}?` : "see: atrium settings get";
  // What does not look like a path may be a secret in the wrong place, which is not to be repeated.
  const name = /^(?:core|credentials|accounts)[\w.]{0,60}$/.test(text) ? ` "${text}"` : " of that name";
  throw new InvalidArgumentError(`There is no setting${name}; ${hint}`);
};

/** The settings with their kinds, for a command's help. */
export const settingsHelp = (): string => {
  const width = Math.max(...Object.keys(settingPaths).map((path) => path.length));
  const lines = Object.entries(settingPaths).map(([path, { about }]) => `  ${path.padEnd(width)}  ${about}`);
  return `\nSettings:\n${lines.join("\n")}\n`;
};

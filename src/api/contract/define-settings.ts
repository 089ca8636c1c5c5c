import { type Complaint, hasUnprintable, hasVisible, isLongerThan } from "./account-rules.ts";
import type { FieldError } from "./errors.ts";
import type { DocumentedLimits } from "./limits.ts";
import { type ChangedField, pageSettingsTexts, type SettingValue } from "./settings.ts";
import { imagePattern, imageTexts } from "./site-images.ts";

type Facts<Value> = {
  default: Value;
  /** Its name on the page and in the history. */
  label: string;
  /** Sentences below the field. */
  hint?: string;
  /** Its line in the command line's help; without it the label. */
  about?: string;
  /** The API's description; without it the hint. */
  description?: string;
  /** Which part of its page it is on, where the page has several. */
  part?: string;
  /** Complaint about a value that is refused; without it one that follows from the rule. */
  invalid?: string;
  /**
   * Who changes it: with `settings`, also tokens with `settings:write`; with `none`, no token, as its change would let someone in
   * or keep others in for longer. Without it a token needs `settings:security`.
   */
  scope?: "settings" | "none";
};

export type IntegerSetting = Facts<number> & { kind: "integer"; min: number; max: number };
export type DurationSetting = Facts<number> & { kind: "duration"; options: readonly number[] };
type ChoiceSetting<Value extends string = string> = Facts<Value> & {
  kind: "choice";
  /** The values with their names on the page. */
  options: Readonly<Record<Value, string>>;
};
type SwitchSetting = Facts<boolean> & { kind: "switch" };
/** A text of visible characters without space around it. */
type TextSetting = Facts<string> & {
  kind: "text";
  max: number;
  mayBeEmpty?: boolean;
  isLong?: boolean;
  /** It may have several lines. */
  hasLines?: true;
  /** What else may be wrong with a text of such a length. */
  refuse?: (text: string) => Complaint;
};

/** One of several words, or the path of a public page of an own feature. */
export type PageSetting = Facts<string> & {
  kind: "page";
  /** The words with their names on the page. */
  options: Readonly<Record<string, string>>;
};

/** A color as `#rrggbb`. */
type ColorSetting = Facts<string> & { kind: "color" };

/** Names the files of an image that was uploaded, as `imagePattern` has it; empty for none. */
type ImageSetting = Facts<string> & { kind: "image" };

/** Texts in any order, each of which follows a rule. */
export type ListSetting = Facts<string[]> & {
  kind: "list";
  /** The most texts that it may hold. */
  most: number;
  /** What each text must be, with any space around it. */
  pattern: RegExp;
  invalid: string;
  /** What else may be wrong with a text that follows the pattern. */
  refuse?: (text: string) => Complaint;
  /** Each is typed in a line of its own; otherwise they are separated by commas or spaces. */
  hasLines?: true;
};

/** What has a rule of its own. It may always be empty: what it is for is optional. */
type Checked = {
  /** What the API's document says of its form. */
  documented: DocumentedLimits;
  /** `listed` are the origins that the operator has listed for it. */
  complaint: (text: string, listed: readonly string[]) => Complaint;
};
/** What a service calls something that it holds. */
export type IdentifierSetting = Facts<string> & Checked & { kind: "identifier" };
/** Where a service is. All secrets of its group are for this server alone. */
export type EndpointSetting = Facts<string> &
  Checked & {
    kind: "endpoint";
    /** An example, shown while the field is empty. */
    placeholder: string;
    /** The form in which a text is kept, and the password that was in it, for the secret of that name; `null` for a text of another form. */
    split: (text: string) => { endpoint: string; password: string | null } | null;
    /** Whether a stored row may hold it. What the operator lists may have changed since. */
    isStorable: (text: string) => boolean;
  };
/** What is stored sealed and never told. `null` removes it, empty keeps it. */
export type SecretSetting<ReadsEmpty extends boolean = boolean> = Facts<string | null> &
  Checked & {
    kind: "secret";
    /** Whether the API answers an empty text in its place, beside the `has…` that it answers of each. */
    readsEmpty: ReadsEmpty;
    /** Whether space around it is part of it. */
    keepsSpace?: true;
  };

/** One field that admins set; everything that is said or checked of it anywhere follows from this. */
export type Setting =
  | IntegerSetting
  | DurationSetting
  | ChoiceSetting
  | SwitchSetting
  | TextSetting
  | ColorSetting
  | ImageSetting
  | ListSetting
  | PageSetting
  | IdentifierSetting
  | EndpointSetting
  | SecretSetting;

/** A whole number within bounds. */
export const integer = (facts: Omit<IntegerSetting, "kind">): IntegerSetting => ({
  kind: "integer",
  ...facts,
});
/** One of several lengths of time, in milliseconds. */
export const duration = (facts: Omit<DurationSetting, "kind">): DurationSetting => ({
  kind: "duration",
  ...facts,
});
/** One of several words. */
export const choice = <const Value extends string>(
  facts: Facts<NoInfer<Value>> & Pick<ChoiceSetting<Value>, "options">,
): ChoiceSetting<Value> => ({ kind: "choice", ...facts });
/** On or off. */
export const toggle = (facts: Omit<SwitchSetting, "kind">): SwitchSetting => ({ kind: "switch", ...facts });
/** A text of at most `max` characters. */
export const text = (facts: Omit<TextSetting, "kind">): TextSetting => ({ kind: "text", ...facts });
/** A page to choose. */
export const page = (facts: Omit<PageSetting, "kind">): PageSetting => ({ kind: "page", ...facts });
/** A color, as six hexadecimal digits after a `#`. */
export const color = (facts: Omit<ColorSetting, "kind">): ColorSetting => ({ kind: "color", ...facts });
/** An image that was uploaded. */
export const image = (facts: Omit<ImageSetting, "kind" | "default">): ImageSetting => ({
  ...{ kind: "image", default: "" },
  ...facts,
});
/** Several texts, without space around them. */
export const list = (
  facts: Omit<ListSetting, "kind" | "default"> & Partial<Pick<ListSetting, "default">>,
): ListSetting => ({
  ...{ kind: "list", default: [] },
  ...facts,
});
/** The name of something that a service holds. */
export const identifier = (
  facts: Omit<IdentifierSetting, "kind" | "default"> & Partial<Pick<IdentifierSetting, "default">>,
): IdentifierSetting => ({
  ...{ kind: "identifier", default: "" },
  ...facts,
});
/** The endpoint of a service; a group has one at most. */
export const endpoint = (facts: Omit<EndpointSetting, "kind" | "default">): EndpointSetting => ({
  ...{ kind: "endpoint", default: "" },
  ...facts,
});
/** A secret for the endpoint of its group. */
export const secret = <const ReadsEmpty extends boolean>(
  facts: Omit<SecretSetting<ReadsEmpty>, "kind" | "default">,
): SecretSetting<ReadsEmpty> => ({ ...{ kind: "secret", default: "" }, ...facts });

type Group = { readonly [name: string]: Setting };
/** Settings, and groups of them. */
export type Fields = { readonly [name: string]: Setting | Group };
type ValuesIn<F> = {
  -readonly [Name in keyof F]: F[Name] extends { kind: string; default: infer Value }
    ? Value
    : ValuesIn<F[Name]>;
};

/** One part of the settings, which is stored and changed as a whole. Its values are nested as its fields are. */
export type SettingsSection<
  Name extends string = string,
  Values extends object = object,
  F extends Fields = Fields,
> = {
  name: Name;
  fields: F;
  /** Whether no one may change it while the firewall manages the core settings. */
  isLockedByFirewall: boolean;
  /** What is wrong with values that are right one by one. */
  conflicts(values: Values): FieldError[];
  /** All settings by their paths, in the order of declaration. */
  settings: readonly (readonly [path: string, setting: Setting])[];
  defaults: Values;
};

/** The values of a section. */
export type ValuesOf<Section> = Section extends SettingsSection<string, infer Values> ? Values : never;
/** The values of a group, as opposed to those of a setting. */
type Nested = object & { readonly length?: never };
/** A change of a section's values; what is absent stays. */
export type ChangeOf<Values> = {
  [Name in keyof Values]?: Values[Name] extends Nested ? Partial<Values[Name]> : Values[Name];
};
/** The paths of a section's settings, such as `rateLimiting.maxRequests`. */
export type PathOf<Values> = {
  [Name in keyof Values & string]: Values[Name] extends Nested
    ? `${Name}.${keyof Values[Name] & string}`
    : Name;
}[keyof Values & string];
/** The value at such a path. */
export type ValueAt<Values, Path> = Path extends keyof Values
  ? Values[Path]
  : Path extends `${infer Own}.${infer Inner}`
    ? Own extends keyof Values
      ? ValueAt<Values[Own], Inner>
      : never
    : never;
/** The paths of a section's secrets, whose values alone may be `null`. */
export type SecretPathOf<Values> = {
  [Path in PathOf<Values>]: null extends ValueAt<Values, Path> ? Path : never;
}[PathOf<Values>];
/** The values of a section of groups without its secrets. */
export type OpenOf<Values> = {
  [Name in keyof Values]: {
    [Inner in keyof Values[Name] as null extends Values[Name][Inner] ? never : Inner]: Values[Name][Inner];
  };
};

/** Declares a section. `name` is the first part of its paths and the last of the API's. */
export const defineSettings = <const Name extends string, const F extends Fields>(
  name: Name,
  fields: F,
  {
    isLockedByFirewall = false,
    conflicts = () => [],
  }: Partial<Pick<SettingsSection<Name, ValuesIn<F>>, "isLockedByFirewall" | "conflicts">> = {},
): SettingsSection<Name, ValuesIn<F>, F> => {
  const settings = Object.entries<Setting | Group>(fields).flatMap(([own, field]): [string, Setting][] =>
    isSetting(field)
      ? [[own, field]]
      : Object.entries(field).map(([inner, setting]): [string, Setting] => [`${own}.${inner}`, setting]),
  );
  const defaults = nested(settings.map(([path, setting]) => [path, setting.default]));
  // Each default is of its setting's type, and nested as the fields are.
  return { name, fields, isLockedByFirewall, conflicts, settings, defaults: defaults as ValuesIn<F> };
};

/** Whether a member of a section is a setting, not a group. */
export const isSetting = (field: Setting | Group): field is Setting => typeof field.kind === "string";

/** A group of a section, to describe as if it were one itself. */
export const groupOf = <Values extends object, const Name extends keyof Values & string>(
  { fields, defaults }: SettingsSection<string, Values>,
  name: Name,
): { fields: Fields; defaults: Values[Name] } => {
  const group = fields[name];
  return { fields: group === undefined || isSetting(group) ? {} : group, defaults: defaults[name] };
};

/** The endpoint that a secret is for, by their paths; `undefined` for what is no secret. */
export const endpointPathOf = ({ settings }: SettingsSection, path: string): string | undefined => {
  const isBeside = (other: string) => other.split(".")[0] === path.split(".")[0];
  const isSecret = settings.some(([own, { kind }]) => own === path && kind === "secret");
  return isSecret ? settings.find(([own, { kind }]) => kind === "endpoint" && isBeside(own))?.[0] : undefined;
};

/** Where the password goes that is in an endpoint. */
export const passwordPathOf = (endpointPath: string): string => endpointPath.replace(/\w+$/, "password");

/** Whether space around a value is part of it. */
export const keepsSpace = (setting: Setting): boolean =>
  setting.kind === "secret" && setting.keepsSpace === true;

/** Where the API answers whether there is a secret: `redis.hasPassword` for `redis.password`. */
export const hasPath = (path: string): string =>
  path.replace(/\w+$/, (own) => `has${own.charAt(0).toUpperCase()}${own.slice(1)}`);

/** What stands at a dotted path; `undefined` where nothing does. */
export const valueAt = (values: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce((part, name) => (isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined), values);

/** Values by their dotted paths, of two parts at most, as the API nests them. */
export const nested = (
  values: readonly (readonly [path: string, value: unknown])[],
): Record<string, unknown> => {
  const all: Record<string, unknown> = {};
  for (const [path, value] of values) {
    const [own = "", inner] = path.split(".");
    all[own] = inner === undefined ? value : { ...Object(all[own]), [inner]: value };
  }
  return all;
};

/** A section's values with a change of whatever origin made to them, and the complaints that keep it from being made. */
export const withChange = <Values extends object>(
  { settings, conflicts }: SettingsSection<string, Values>,
  values: Values,
  change: unknown,
): { values: Values; errors: FieldError[] } => {
  const errors: FieldError[] = [];
  const next = settings.map(([path, setting]): [string, unknown] => {
    const given = valueAt(change, path);
    const value = given === undefined ? valueAt(values, path) : given;
    const message = settingComplaint(setting, value);
    if (message !== null) errors.push({ path, message });
    return [path, trimmed(value)];
  });
  // Without complaints each value is one that its setting accepts; with them no one looks at the values.
  const changed = nested(next) as Values;
  return { values: changed, errors: errors.length > 0 ? errors : conflicts(changed) };
};

const trimmed = (value: unknown): unknown => {
  if (Array.isArray(value)) return [...new Set(value.map(trimmed))];
  return typeof value === "string" ? value.trim() : value;
};

/** What two versions of a section's values differ in. */
export const changedSettings = <Values extends object>(
  { settings }: SettingsSection<string, Values>,
  from: Values,
  to: Values,
): ChangedField[] =>
  settings.flatMap(([path]) => {
    const [before, after] = [valueAt(from, path) as SettingValue, valueAt(to, path) as SettingValue];
    return before === after || JSON.stringify(before ?? "") === JSON.stringify(after ?? "")
      ? []
      : [{ path, isSecret: false, before, after }];
  });

/**
 * A section as a stored row has it; `null` for a row that no one could have saved. What an older version did not know has
 * its default, what a newer one knew besides is left out.
 */
export const storedValues = <Values extends object>(
  section: SettingsSection<string, Values>,
  row: unknown,
): Values | null => {
  if (!isRecord(row)) return null;
  const known = Object.entries(section.fields).filter(([name]) => Object.hasOwn(row, name));
  const isShaped = known.every(([name, field]) => isSetting(field) || isRecord(row[name]));
  const { values, errors } = withChange(section, section.defaults, row);
  return known.length > 0 && isShaped && errors.length === 0 ? values : null;
};

/** Complaint about a value, from wherever it comes; `listed` are the origins that the operator has listed for endpoints. */
export const settingComplaint = (
  setting: Setting,
  value: unknown,
  listed: readonly string[] = [],
): Complaint => {
  if (!isChecked(setting)) return isAccepted(setting, value) ? rest(setting, value) : refusalOf(setting);
  if (setting.kind === "secret" && value === null) return null;
  return typeof value === "string" ? setting.complaint(value, listed) : refusalOf(setting);
};

/** Complaint about an accepted value by its setting's own rule. */
const rest = (setting: Setting, value: unknown): Complaint => {
  if (setting.kind !== "text" && setting.kind !== "list") return null;
  const complaints = [value].flat().map((text) => setting.refuse?.(String(text).trim()) ?? null);
  return complaints.find((complaint) => complaint !== null) ?? null;
};

type CheckedSetting = IdentifierSetting | EndpointSetting | SecretSetting;

const isChecked = (setting: Setting): setting is CheckedSetting => "complaint" in setting;

const isAccepted = (setting: Exclude<Setting, CheckedSetting>, value: unknown): boolean => {
  switch (setting.kind) {
    case "integer":
      return Number.isInteger(value) && Number(value) >= setting.min && Number(value) <= setting.max;
    case "duration":
      return setting.options.some((ms) => ms === value);
    case "choice":
      return typeof value === "string" && Object.hasOwn(setting.options, value);
    case "switch":
      return typeof value === "boolean";
    case "text": {
      if (typeof value !== "string" || isLongerThan(value, setting.max)) return false;
      if (hasUnprintable(hasLines(setting) ? value.replace(/\r?\n|\t/g, " ") : value)) return false;
      return setting.mayBeEmpty === true || hasVisible(value);
    }
    case "color":
      return typeof value === "string" && colorPattern.test(value);
    case "page":
      return typeof value === "string" && (Object.hasOwn(setting.options, value) || pagePattern.test(value));
    case "image":
      return typeof value === "string" && imagePattern.test(value);
    case "list":
      if (!Array.isArray(value) || value.length > setting.most) return false;
      return value.every((item) => isItemOf(setting, item));
  }
};

/** How the path of a page is written. */
export const pagePattern = /^(?:\/[a-z0-9-]+)+$/;

/** How a color is written, with any space around it. */
export const colorPattern = /^\s*#[0-9a-fA-F]{6}\s*$/;

const isItemOf = ({ pattern }: ListSetting, item: unknown): boolean =>
  typeof item === "string" && !hasUnprintable(item.trim()) && pattern.test(item);

/** Whether a setting may hold no text. */
export const mayBeEmpty = (setting: Setting): boolean =>
  isChecked(setting) ||
  setting.kind === "list" ||
  setting.kind === "image" ||
  (setting.kind === "text" && setting.mayBeEmpty === true);

/** What is said of a value that is refused. */
export const refusalOf = (setting: Setting): string => {
  if (setting.invalid !== undefined) return setting.invalid;
  // What else is wrong with it its rule says.
  if (isChecked(setting)) return pageSettingsTexts.textExpected;
  switch (setting.kind) {
    case "integer":
      return `${setting.label} must be a whole number from ${setting.min} to ${setting.max}`;
    case "switch":
      return "Please choose yes or no";
    case "color":
      return `${setting.label} must be a # and six hexadecimal digits, such as ${setting.default}`;
    case "text":
      return `${setting.label} must be ${lengthOf(setting)} visible characters`;
    case "page":
      return `Please choose ${eitherOf(wordsOf(setting))}, or the path of a page such as /notes`;
    case "image":
      return imageTexts.notUploaded;
    default:
      return `Please choose ${eitherOf(wordsOf(setting))}`;
  }
};

/** The lengths that a text may have, such as `1 to 200` or `at most 40,000`. */
export const lengthOf = ({ mayBeEmpty, max }: TextSetting): string =>
  `${mayBeEmpty === true ? "at most" : "1 to"} ${max.toLocaleString("en-US")}`;

/** Words of which one is to be chosen, such as `waiting, sent or dead`. */
export const eitherOf = (words: readonly string[]): string =>
  [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" or ");

/** The words for the values of a setting that has few; none for the others. */
export const wordsOf = (setting: Setting): string[] => {
  if (setting.kind === "switch") return ["true", "false"];
  if (setting.kind === "choice" || setting.kind === "page") return Object.keys(setting.options);
  return setting.kind === "duration" ? setting.options.map(durationWord) : [];
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Whether a value may have several lines. */
export const hasLines = (setting: Setting): boolean => "hasLines" in setting && setting.hasLines === true;

/** A value in words. */
export const wordOf = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : String(value));

/** A value as it is typed into a form; {@link listIn} reads a list again. */
export const typedOf = (setting: Setting, value: unknown): string =>
  hasLines(setting) && Array.isArray(value) ? value.join("\n") : wordOf(value);

/** A list as it is typed. */
export const listIn = (text: string, setting: ListSetting): string[] =>
  text.split(hasLines(setting) ? /[\r\n]+/ : /[\s,]+/).flatMap((item) => item.trim() || []);

/** A length of time as it is typed, such as `15m`. */
export const durationWord = (ms: number): string => (ms < hourMs ? `${ms / minuteMs}m` : `${ms / hourMs}h`);

/** A length of time as it is read, such as "15 minutes". */
export const durationLabel = (ms: number): string => {
  const [amount, unit] = ms < hourMs ? [ms / minuteMs, "minute"] : [ms / hourMs, "hour"];
  return `${amount} ${unit}${amount === 1 ? "" : "s"}`;
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

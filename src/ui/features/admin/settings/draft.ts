import type { CredentialsChange } from "#api/modules/settings/contract.ts";
import type { Complaint } from "#contract/account-rules.ts";
import {
  type AccountSettings,
  type CoreSettings,
  type DeclaredName,
  declaredSettings,
} from "#contract/core-settings.ts";
import { type CredentialSettings, credentialSettings } from "#contract/credential-settings.ts";
import {
  type ChangeOf,
  endpointPathOf,
  hasPath,
  keepsSpace,
  listIn,
  nested,
  type PathOf,
  type Setting,
  type SettingsSection,
  settingComplaint,
  typedOf,
  type ValueAt,
  valueAt,
} from "#contract/define-settings.ts";
import { keepsSecrets } from "#contract/endpoints.ts";
import { pageSettingsTexts, type SettingValue } from "#contract/settings.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import type { Loaded } from "./api.ts";

/** What is declared of settings is in the form as a text, or as a switch; of a secret what was typed, empty to keep what is saved, `null` to have it removed. */
type FormOf<Values, Prefix extends string> = {
  [Path in PathOf<Values> as `${Prefix}${Path}`]: ValueAt<Values, Path> extends boolean
    ? boolean
    : null extends ValueAt<Values, Path>
      ? string | null
      : string;
};

/** What is in the form, by the paths that the server names in its complaints. Numbers are as they were typed. */
export type Draft = FormOf<CoreSettings & CredentialSettings, ""> &
  FormOf<AccountSettings, "accounts."> &
  FormOf<SiteSettings, "site.">;

/** A field of the form. */
export type DraftPath = keyof Draft;
type PathsOf<Value> = { [Path in DraftPath]: Draft[Path] extends Value ? Path : never }[DraftPath];
/** A field with a text that can be seen. */
export type TextPath = PathsOf<string>;
/** A field that is on or off. */
export type SwitchPath = PathsOf<boolean>;
/** A field whose saved value is never told. */
export type SecretPath = Exclude<PathsOf<string | null>, TextPath>;

/** What is saved, as the form shows it, and of what is not shown whether there is any. */
export type SavedSettings = {
  draft: Draft;
  hasSecret: Record<SecretPath, boolean>;
  /** Origins besides Cloudflare's that are accepted as object storage. */
  otherEndpoints: readonly string[];
};

/** The server's answers as the form shows them; parts that were not asked for have their defaults. */
export const savedSettings = (values: Loaded): SavedSettings => {
  const { credentials } = values;
  const secrets = declaredFields.filter(({ setting }) => setting.kind === "secret");
  const draft: object = Object.fromEntries(
    declaredFields.map(({ path, own, section, setting }) => [
      path,
      setting.kind === "secret"
        ? ""
        : formValue(setting, valueAt(values[section.name] ?? section.defaults, own)),
    ]),
  );
  const hasSecret: object = Object.fromEntries(
    secrets.map(({ path }) => [path, valueAt(credentials, hasPath(path)) === true]),
  );
  return {
    // Their types list the same paths.
    draft: draft as Draft,
    hasSecret: hasSecret as Record<SecretPath, boolean>,
    otherEndpoints: credentials?.cloudflareR2.otherEndpoints ?? [],
  };
};

const formValue = (setting: Setting, value: unknown): string | boolean =>
  typeof value === "boolean" ? value : typedOf(setting, value);

/** A field of the form with its declaration; `own` is its path in the section. */
export type DeclaredField = {
  path: DraftPath;
  own: string;
  section: SettingsSection<DeclaredName>;
  setting: Setting;
};

/** The form's path for one of a section; fields of a group are named by it alone. */
export const formPath = (section: string, own: string): DraftPath =>
  // The type lists the same paths.
  (own.includes(".") ? own : `${section}.${own}`) as DraftPath;

/** Whether a field is on or off. */
export const isSwitchPath = (path: DraftPath): path is SwitchPath =>
  declaredField(path).setting.kind === "switch";
/** Whether a field is a secret. */
export const isSecretPath = (path: DraftPath): path is SecretPath =>
  declaredField(path).setting.kind === "secret";

/** All fields with their declarations, in their order. */
const declaredFields: readonly DeclaredField[] = Object.values(declaredSettings).flatMap((section) =>
  section.settings.map(([own, setting]) => ({ path: formPath(section.name, own), own, section, setting })),
);

/** Those whose paths begin with this one. */
export const fieldsBelow = (start: string): DeclaredField[] =>
  declaredFields.filter(({ path }) => path.startsWith(`${start}.`));

/** Those of a section. */
export const fieldsOf = (name: DeclaredName): DeclaredField[] =>
  declaredFields.filter(({ section }) => section.name === name);

/** What is declared of a field. */
const declaredField = (path: DraftPath): DeclaredField => {
  const found = declaredFields.find((field) => field.path === path);
  if (found === undefined) throw new Error(`no setting is declared at ${path}`);
  return found;
};

/** Whether a field cannot be changed while the firewall manages the core settings. */
export const isLockedByFirewall = (path: DraftPath): boolean =>
  declaredField(path).section.isLockedByFirewall;

/** Which part of the settings a field belongs to: each part is saved by a call of its own. */
export const partOf = (path: DraftPath): DeclaredName => declaredField(path).section.name;

/** The fields in a record keyed by them. */
export const draftPaths = (record: Partial<Record<DraftPath, unknown>>): DraftPath[] =>
  Object.keys(record).filter((path): path is DraftPath => path in record);

/** The fields whose value would be another after saving. */
export const changedPaths = (draft: Draft, saved: Draft): DraftPath[] =>
  draftPaths(saved).filter((path) => plain(path, draft[path]) !== plain(path, saved[path]));

/** A change of one part, as its call takes it. */
export type PartChange = CredentialsChange &
  ChangeOf<CoreSettings> &
  ChangeOf<AccountSettings> &
  ChangeOf<SiteSettings>;

/** These fields of one part as the body of its call; `null` when there are none. */
export const changeOf = (draft: Draft, paths: readonly DraftPath[]): PartChange | null => {
  if (paths.length === 0) return null;
  const change: object = nested(paths.map((path) => [declaredField(path).own, wireValue(path, draft[path])]));
  // The paths are those of the API, which checks each value.
  return change as PartChange;
};

/**
 * The draft over what is saved now: fields that still stand as they did in `base` take the new values, what was typed in
 * the meantime stays.
 */
export const rebase = (draft: Draft, base: Draft, saved: Draft): Draft => {
  const typed = draftPaths(draft).filter((path) => draft[path] !== base[path]);
  return { ...saved, ...pick(draft, typed) };
};

/** These fields of a draft. */
export const pick = (draft: Draft, paths: readonly DraftPath[]): Partial<Draft> =>
  Object.fromEntries(paths.map((path) => [path, draft[path]]));

/** A field's value as it is sent; `NaN` for a text that is not the number that is wanted. */
const wireValue = (path: DraftPath, value: Draft[DraftPath]): SettingValue => {
  const { setting } = declaredField(path);
  const { kind } = setting;
  if (kind === "list") return listIn(String(value), setting);
  // What `Number` takes besides, such as "1e3" or "0x10", no one means.
  if (kind === "integer" || kind === "duration")
    return /^\d+$/.test(String(value).trim()) ? Number(value) : Number.NaN;
  return plain(path, value);
};

const plain = (path: DraftPath, value: Draft[DraftPath]) =>
  typeof value === "string" && !keepsSpace(declaredField(path).setting) ? value.trim() : value;

/** Complaints by field; a field without one is absent. */
export type DraftErrors = Partial<Record<DraftPath, string>>;

/** Everything that keeps the draft from being saved, in the server's own words. */
export const draftComplaints = (draft: Draft, saved: SavedSettings): DraftErrors => {
  const complaints = declaredFields.map(({ path, setting }): [DraftPath, Complaint] => {
    const complaint = settingComplaint(setting, wireValue(path, draft[path]), saved.otherEndpoints);
    return [path, complaint ?? (isSecretPath(path) ? secretComplaint(path, draft, saved) : null)];
  });
  return Object.fromEntries(complaints.filter(([, complaint]) => complaint !== null));
};

/** Complaint about a secret without its endpoint, or one that would go to another server than it was entered for, which it never does. */
const secretComplaint = (path: SecretPath, draft: Draft, saved: SavedSettings): Complaint => {
  const { path: endpointPath, setting } = endpointFor(path);
  const endpoint = String(draft[endpointPath]).trim();
  const entered = wireValue(path, draft[path]) ?? "";
  if (entered !== "") return endpoint === "" ? pageSettingsTexts.endpointFirst : null;
  if (!saved.hasSecret[path] || draft[path] !== "" || endpoint === "") return null;
  const next = setting.kind === "endpoint" ? setting.split(endpoint) : null;
  // A password within the endpoint is one that was entered.
  if (next === null || next.password !== null) return null;
  return keepsSecrets(String(saved.draft[endpointPath]), next.endpoint) ? null : pageSettingsTexts.enterAgain;
};

const endpointFor = (path: SecretPath) => {
  const endpointPath = endpointPathOf(credentialSettings, path);
  const found = declaredFields.find((field) => field.path === endpointPath);
  if (found === undefined) throw new Error(`${path} is for no endpoint`);
  return found;
};

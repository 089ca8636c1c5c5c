import type { Credentials } from "#api/modules/settings/contract.ts";
import { type AccountSettings, accountSettings } from "#contract/account-settings.ts";
import { type CoreSettings, coreSettings } from "#contract/core-settings.ts";
import { type DeclaredName, declaredSettings } from "#contract/declared-settings.ts";
import {
  nested,
  type PathOf,
  type Setting,
  type SettingsSection,
  valueAt,
} from "#contract/define-settings.ts";

/** A secret as it stands in the form: what was typed, empty to keep what is saved, `null` to have it removed. */
type Secret = string | null;

type ValueAt<Values, Path> = Path extends keyof Values
  ? Values[Path]
  : Path extends `${infer Own}.${infer Inner}`
    ? Own extends keyof Values
      ? ValueAt<Values[Own], Inner>
      : never
    : never;
/** What is declared of settings stands in the form as a text, or as a switch. */
type FormOf<Values, Prefix extends string> = {
  [Path in PathOf<Values> as `${Prefix}${Path}`]: ValueAt<Values, Path> extends boolean ? boolean : string;
};
// The server's complaints about core settings name them so.
type DeclaredDraft = FormOf<CoreSettings, ""> & FormOf<AccountSettings, "accounts.">;

/** What stands in the form, by the paths that the server names in its complaints. Numbers are as they were typed. */
export type Draft = DeclaredDraft & {
  "redis.endpoint": string;
  "redis.password": Secret;
  "cloudflareR2.bucket": string;
  "cloudflareR2.token": Secret;
  "cloudflareR2.accessKeyId": Secret;
  "cloudflareR2.secretAccessKey": Secret;
  "cloudflareR2.endpointS3": string;
};

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

/** The server's answers as the form shows them. */
export const savedSettings = (
  { redis, cloudflareR2 }: Credentials,
  core: CoreSettings,
  accounts: AccountSettings,
): SavedSettings => ({
  draft: {
    "redis.endpoint": redis.endpoint,
    "redis.password": "",
    "cloudflareR2.bucket": cloudflareR2.bucket,
    "cloudflareR2.token": "",
    "cloudflareR2.accessKeyId": "",
    "cloudflareR2.secretAccessKey": "",
    "cloudflareR2.endpointS3": cloudflareR2.endpointS3,
    ...formOf(coreSettings, core),
    ...formOf(accountSettings, accounts),
  },
  hasSecret: {
    "redis.password": redis.hasPassword,
    "cloudflareR2.token": cloudflareR2.hasToken,
    "cloudflareR2.accessKeyId": cloudflareR2.hasAccessKeyId,
    "cloudflareR2.secretAccessKey": cloudflareR2.hasSecretAccessKey,
  },
  otherEndpoints: cloudflareR2.otherEndpoints,
});

const formPath = ({ name }: { name: DeclaredName }, path: string): DeclaredDraftPath =>
  // The type lists the same paths.
  (name === "core" ? path : `${name}.${path}`) as DeclaredDraftPath;

const formOf = <Values extends object>(
  section: SettingsSection<DeclaredName, Values>,
  values: Values,
): DeclaredDraft =>
  Object.fromEntries(
    section.settings.map(([path]) => {
      const value = valueAt(values, path);
      return [formPath(section, path), typeof value === "boolean" ? value : String(value)];
    }),
  ) as DeclaredDraft;

/** A field of the form whose setting is declared. */
export type DeclaredDraftPath = keyof DeclaredDraft;

export type DeclaredField = {
  path: DeclaredDraftPath;
  section: SettingsSection<DeclaredName>;
  setting: Setting;
};

/** Whether a field is on or off. */
export const isSwitchPath = (path: DraftPath): path is SwitchPath =>
  declaredField(path)?.setting.kind === "switch";

/** The fields whose settings are declared, in their order. */
export const declaredFields: readonly DeclaredField[] = Object.values(declaredSettings).flatMap((section) =>
  section.settings.map(([path, setting]) => ({ path: formPath(section, path), section, setting })),
);

/** Those whose paths begin with this one. */
export const fieldsBelow = (start: string): DeclaredField[] =>
  declaredFields.filter(({ path }) => path.startsWith(`${start}.`));

/** What is declared of a field; `undefined` for the others. */
export const declaredField = (path: DraftPath): DeclaredField | undefined =>
  declaredFields.find((field) => field.path === path);

/** Whether a field cannot be changed while the firewall manages the core settings. */
export const isLockedByFirewall = (path: DraftPath): boolean =>
  declaredField(path)?.section.isLockedByFirewall ?? false;

/** Which part of the settings a field belongs to: each part is saved by a call of its own. */
export const partOf = (path: DraftPath): DeclaredName | "credentials" =>
  declaredField(path)?.section.name ?? "credentials";

/** The fields in a record keyed by them. */
export const draftPaths = (record: Partial<Record<DraftPath, unknown>>): DraftPath[] =>
  Object.keys(record).filter((path): path is DraftPath => path in record);

/** The fields whose value would be another after saving. */
export const changedPaths = (draft: Draft, saved: Draft): DraftPath[] =>
  draftPaths(saved).filter((path) => plain(path, draft[path]) !== plain(path, saved[path]));

/** These fields as the body of a call, a section each; `null` when there are none. */
export const changeOf = <Change extends object>(draft: Draft, paths: readonly DraftPath[]): Change | null => {
  if (paths.length === 0) return null;
  const change: object = nested(paths.map((path) => [path, wireValue(path, draft[path])]));
  // The paths are those of the API, which checks each value.
  return change as Change;
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
export const wireValue = (path: DraftPath, value: Draft[DraftPath]): string | number | boolean | null => {
  const kind = declaredField(path)?.setting.kind;
  // What `Number` takes besides, such as "1e3" or "0x10", nobody means.
  if (kind === "integer" || kind === "duration")
    return /^\d+$/.test(String(value).trim()) ? Number(value) : Number.NaN;
  return plain(path, value);
};

// A password of Redis may begin or end with a space.
const plain = (path: DraftPath, value: Draft[DraftPath]) =>
  typeof value === "string" && path !== "redis.password" ? value.trim() : value;

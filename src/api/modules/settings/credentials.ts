import { requireAdmin } from "#api/core/actor.ts";
import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { StoredSettings } from "#api/core/settings.ts";
import type { Complaint } from "#contract/account-rules.ts";
import { credentialSettings, type SecretName } from "#contract/credential-settings.ts";
import {
  changedSettings,
  hasPath,
  keepsSpace,
  nested,
  passwordPathOf,
  type Setting,
  settingComplaint,
  valueAt,
} from "#contract/define-settings.ts";
import { keepsSecrets, serverOf } from "#contract/endpoints.ts";
import type { FieldError } from "#contract/errors.ts";
import { type ChangedField, settingsTexts } from "#contract/settings.ts";
import { type PlainCredentials, type SettingPlan, saveChange } from "./change-settings.ts";
import type { Credentials, CredentialsChange } from "./contract.ts";
import { endpointOf, readSettings, secretNames, servicesWith } from "./store.ts";

/** The external services without their secrets. For admins and the operator. */
export const getCredentials = async (ctx: Context): Promise<Credentials> => {
  requireAdmin(ctx);
  return toCredentials(await readSettings(ctx.db, ctx.secrets), ctx.s3Endpoints);
};

/** Stored settings as admins see them; of secrets, only that a usable one is stored. */
const toCredentials = (stored: StoredSettings, otherEndpoints: readonly string[]): Credentials => {
  const told = credentialSettings.settings.flatMap(([path, setting]) => {
    if (setting.kind !== "secret") return [[path, valueAt(stored, path)] as const];
    return setting.readsEmpty ? [[path, ""] as const] : [];
  });
  const has = secretNames.map(
    (name) => [hasPath(name), typeof stored.secrets[name]?.value === "string"] as const,
  );
  const more = [["cloudflareR2.otherEndpoints", [...otherEndpoints]] as const];
  const credentials: object = nested([...told, ...has, ...more]);
  // Its type says the same of each kind of setting.
  return credentials as Credentials;
};

/**
 * Changes the external services; see {@link CredentialsChange} for what stays. For admins and the operator, whether or
 * not the firewall manages the core settings. Throws a 422 with each invalid field, including secrets that must be
 * entered again.
 */
export const updateCredentials = async (
  ctx: Context,
  input: CredentialsChange,
): Promise<{ message: string; data: Credentials }> => {
  const { plain, complaints } = await plainCredentials(ctx, input);
  const { plan } = await saveChange(
    ctx,
    { section: "credentials", action: "Changed external services" },
    (stored) => {
      if (complaints.length > 0) throw validationError(complaints);
      return planCredentials(ctx.isDryRun ? withoutSecretValues(stored) : stored, plain, "demanded");
    },
  );
  return { message: messageFor(plan), data: await getCredentials(ctx) };
};

/** A plan says "replaced" for every secret that is entered: otherwise a stored one could be guessed without a trace. */
const withoutSecretValues = (stored: StoredSettings): StoredSettings => ({
  ...stored,
  secrets: Object.fromEntries(
    Object.entries(stored.secrets).map(([name, secret]) => [
      name,
      secret && { ...secret, value: secret.value === null ? null : "" },
    ]),
  ),
});

/** It is reported if clearing an endpoint removed its secrets, since they can't be restored. */
const messageFor = ({ fields }: SettingPlan): string => {
  const emptied = fields.flatMap((field) =>
    !field.isSecret && field.after === "" && field.path !== "cloudflareR2.bucket"
      ? [field.path.split(".")[0]]
      : [],
  );
  const hasLost = fields.some(
    (field) => field.isSecret && field.deed === "removed" && emptied.includes(field.path.split(".")[0]),
  );
  return hasLost ? settingsTexts.servicesSavedAndEmptied : settingsTexts.servicesSaved;
};

/**
 * What happens to secrets whose endpoint changes to another server: they must be entered again, or they are removed.
 */
type MovedSecrets = "demanded" | "removed";

/**
 * The effect of a change of credentials on what is stored. A stored secret never follows its endpoint to another
 * server, and none exists without an endpoint. Throws a 422 with each secret that must be entered again, or with its
 * endpoint.
 */
export const planCredentials = (
  stored: StoredSettings,
  change: PlainCredentials,
  moved: MovedSecrets,
): SettingPlan => {
  const next = servicesWith((path) => valueAt(change, path) ?? valueAt(stored, path));
  const visible = changedSettings<object>(credentialSettings, stored, next);
  const changed = Object.entries(next).filter(([service]) =>
    visible.some(({ path }) => path.startsWith(`${service}.`)),
  );
  const plan: SettingPlan = { fields: visible, sections: Object.fromEntries(changed), secrets: {} };
  const demanded: FieldError[] = [];
  for (const name of secretNames) {
    const fate = fateOf(name, {
      stored,
      entered: change.secrets[name],
      from: endpointOf(name, stored),
      to: endpointOf(name, next),
      moved,
    });
    if (fate === "demanded") demanded.push({ path: name, message: settingsTexts.enterAgain });
    if (fate === "unbound") demanded.push({ path: name, message: settingsTexts.endpointFirst });
    if (typeof fate === "string") continue;
    plan.secrets[name] = fate.secret;
    if (fate.deed !== null) plan.fields = [...plan.fields, fieldOf(name, fate.deed)];
  }
  if (demanded.length > 0) throw validationError(demanded);
  return plan;
};

type SecretAction = Extract<ChangedField, { isSecret: true }>["deed"];
type Fate =
  | "kept"
  | "demanded"
  | "unbound"
  | { secret: { value: string; endpoint: string } | null; deed: SecretAction | null };
type Move = {
  stored: StoredSettings;
  entered: string | null | undefined;
  from: string;
  to: string;
  moved: MovedSecrets;
};

const fieldOf = (path: SecretName, deed: SecretAction): ChangedField => ({ path, isSecret: true, deed });

const removed: Fate = { secret: null, deed: "removed" };

const fateOf = (name: SecretName, { stored, entered, from, to, moved }: Move): Fate => {
  const former = stored.secrets[name];
  if (typeof entered === "string") {
    // Stored without a server, it would be sent to whichever comes first.
    if (to === "") return "unbound";
    const isSame = former?.value === entered && serverOf(from) === serverOf(to);
    if (isSame) return "kept";
    return { secret: { value: entered, endpoint: to }, deed: former === undefined ? "set" : "replaced" };
  }
  if (former === undefined) return "kept";
  if (entered === null || (to === "" && from !== "")) return removed;
  if (serverOf(from) === serverOf(to)) return "kept";
  // A secret that can't be opened is useless, and no one can be asked to repeat it.
  if (former.value === null) return removed;
  if (keepsSecrets(from, to)) return { secret: { value: former.value, endpoint: to }, deed: null };
  return moved === "demanded" ? "demanded" : removed;
};

/** The entered values in the form in which they are stored, and what is wrong with them, field by field. */
type Entered = { plain: PlainCredentials; complaints: FieldError[] };

type Judge = Pick<Context, "s3Endpoints" | "isCallableHost">;

/**
 * Checks what was entered and normalizes it: texts trimmed, hosts in lowercase, the password of an endpoint next to it.
 * Empty secrets are absent ones.
 */
export const plainCredentials = async (judge: Judge, change: CredentialsChange): Promise<Entered> => {
  const open: [path: string, value: string][] = [];
  const secrets: { [path: string]: string | null } = {};
  const complaints: FieldError[] = [];
  for (const [path, setting] of credentialSettings.settings) {
    const value = enteredValue(setting, valueAt(change, path));
    if (value === undefined) continue;
    const { kept = value, password = null } = partsOf(setting, value);
    if (setting.kind === "secret") secrets[path] = value ?? secrets[path] ?? null;
    else open.push([path, String(kept)]);
    if (password !== null) secrets[passwordPathOf(path)] = password;
    const complaint = settingComplaint(setting, value, judge.s3Endpoints);
    const message =
      complaint ?? (setting.kind === "endpoint" ? await hostComplaint(judge, kept ?? "") : null);
    if (message !== null) complaints.push({ path, message });
  }
  const plain: object = { ...nested(open), secrets };
  // The paths are those of which its type was made.
  return { plain: plain as PlainCredentials, complaints };
};

/** What was entered, trimmed; `undefined` for what stays. */
const enteredValue = (setting: Setting, value: unknown): string | null | undefined => {
  if (typeof value !== "string") return value === null ? null : undefined;
  const text = keepsSpace(setting) ? value : value.trim();
  return text === "" && setting.kind === "secret" ? undefined : text;
};

const partsOf = (setting: Setting, value: string | null): { kept?: string; password?: string | null } => {
  if (setting.kind !== "endpoint" || value === null) return {};
  const { endpoint = "", password = null } = setting.split(value) ?? {};
  return { kept: endpoint, password };
};

const hostComplaint = async ({ isCallableHost }: Judge, endpoint: string): Promise<Complaint> => {
  if (endpoint === "" || (await isCallableHost(new URL(endpoint).hostname))) return null;
  return settingsTexts.addressRefused;
};

import type { Context } from "#api/core/context.ts";
import type { Complaint } from "#contract/account-rules.ts";
import { credentialSettings } from "#contract/credential-settings.ts";
import {
  keepsSpace,
  nested,
  passwordPathOf,
  type Setting,
  settingComplaint,
  valueAt,
} from "#contract/define-settings.ts";
import type { FieldError } from "#contract/errors.ts";
import { settingsTexts } from "#contract/settings.ts";
import type { CredentialsChange } from "./contract.ts";
import type { PlainCredentials } from "./setting-plan.ts";

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

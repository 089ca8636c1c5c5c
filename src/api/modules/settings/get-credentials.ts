import { requireAdmin } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { credentialSettings } from "#contract/credential-settings.ts";
import { hasPath, nested, valueAt } from "#contract/define-settings.ts";
import type { Credentials } from "./contract.ts";
import { readSettings } from "./read-settings.ts";
import { type StoredSettings, secretNames } from "./stored-settings.ts";

/** The external services without their secrets. For admins and the operator. */
export const getCredentials = async (ctx: Context): Promise<Credentials> => {
  requireAdmin(ctx);
  return toCredentials(await readSettings(ctx.db, ctx.secrets), ctx.s3Endpoints);
};

/** What admins see of stored settings; of secrets only that there are some that can be used. */
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

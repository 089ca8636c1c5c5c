import type { Context } from "#api/core/context.ts";
import { selectSecret } from "./secret-store.ts";

const purpose = "plugin-settings";
const placeOf = (id: string): string => `plugin_secrets:sealed:${id}`;

/** How the secrets of plugins are sealed, for whoever seals them anew. */
export const pluginSecretSealing = { purpose, placeOf };

/** The row of a plugin's secret field. */
export const secretId = (dataKey: string, field: string): string => `${dataKey}/${field}`;

/** A secret as it is kept. */
export const sealPluginSecret = (
  { secrets }: Pick<Context, "secrets">,
  id: string,
  value: string,
): Uint8Array => secrets.seal(purpose, placeOf(id), new TextEncoder().encode(value));

/** A plugin's secret in the clear, or `null` when it is not set. Throws `INTERNAL` when it does not open. */
export const readPluginSecret = async (
  { db, secrets }: Pick<Context, "db" | "secrets">,
  dataKey: string,
  field: string,
): Promise<string | null> => {
  const id = secretId(dataKey, field);
  const sealed = await selectSecret(db, id);
  return sealed === null ? null : new TextDecoder().decode(secrets.open(purpose, placeOf(id), sealed));
};

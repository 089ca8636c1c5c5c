import { CliFailure } from "#cli/failure.ts";
import { findKey } from "#cli/find-key.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import type { Plans } from "./plan.ts";

/** The plans for the keys of publishers. */
export const keyPlans: Plans<
  | "POST /api/admin/plugin-keys"
  | "PATCH /api/admin/plugin-keys/:id"
  | "POST /api/admin/plugin-keys/:id/revoke"
> = {
  "POST /api/admin/plugin-keys": async (client, { body }) => {
    const { keys } = await client.call("GET /api/admin/plugin-keys");
    const known = keys.find(({ publicKey }) => publicKey === body?.publicKey);
    if (known !== undefined)
      throw new CliFailure("CONFLICT", `this key is in the list already: ${known.label}`);
    return `Would trust ${body?.label} for ${body?.names?.join(", ") ?? "every plugin"} as ${body?.tier ?? "verified"}`;
  },
  "PATCH /api/admin/plugin-keys/:id": async (client, { params, body }) => {
    const { label } = changeable(await findKey(client, params?.id ?? ""));
    return `Would change of ${label}: ${Object.keys(body ?? {}).join(", ")}`;
  },
  "POST /api/admin/plugin-keys/:id/revoke": async (client, { params }) =>
    `Would revoke the key of ${changeable(await findKey(client, params?.id ?? "")).label} for good`,
};

const changeable = (key: TrustedKey | null): TrustedKey => {
  if (key === null) throw new CliFailure("NOT_FOUND", "there is no such key");
  if (key.revokedAt !== null) throw new CliFailure("CONFLICT", `the key of ${key.label} was revoked already`);
  if (key.source === "environment")
    throw new CliFailure("CONFLICT", `the key of ${key.label} is changed in PLUGIN_TRUSTED_KEYS`);
  return key;
};

import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import type { Credentials } from "./contract.ts";
import { readSettings } from "./read-settings.ts";
import type { SecretName, StoredSettings } from "./stored-settings.ts";

/** The external services without their secrets. For admins and the operator. */
export const getCredentials = async (ctx: Context): Promise<Credentials> => {
  requireAdmin(ctx);
  return toCredentials(await readSettings(ctx.db, ctx.secrets), ctx.s3Endpoints);
};

/** What admins see of stored settings; of secrets only that there are some that can be used. */
export const toCredentials = (
  { redis, cloudflareR2, secrets }: StoredSettings,
  otherEndpoints: readonly string[],
): Credentials => {
  const has = (name: SecretName): boolean => typeof secrets[name]?.value === "string";
  return {
    redis: { endpoint: redis.endpoint, hasPassword: has("redis.password") },
    cloudflareR2: {
      bucket: cloudflareR2.bucket,
      token: "",
      accessKeyId: "",
      secretAccessKey: "",
      endpointS3: cloudflareR2.endpointS3,
      hasToken: has("cloudflareR2.token"),
      hasAccessKeyId: has("cloudflareR2.accessKeyId"),
      hasSecretAccessKey: has("cloudflareR2.secretAccessKey"),
      otherEndpoints: [...otherEndpoints],
    },
  };
};

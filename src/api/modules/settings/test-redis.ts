import { validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { RedisTarget } from "#api/core/settings.ts";
import { keepsSecrets } from "#contract/endpoints.ts";
import { settingsTexts } from "#contract/settings-texts.ts";
import type { TestRedisInput } from "./contract.ts";
import { plainCredentials } from "./plain-credentials.ts";
import { readSettings } from "./read-settings.ts";
import { runTest } from "./run-test.ts";
import { secretForTest } from "./secret-for-test.ts";
import type { StoredSettings } from "./stored-settings.ts";

/**
 * Tries a Redis server for real. What is left out is taken from what is stored, or from the environment while nothing
 * is; a stored password goes to its own server alone. For admins and the operator. Throws a 422 for fields at fault, with
 * nothing sent, `CONFLICT` and `TEST_FAILED`.
 */
export const testRedis = (ctx: Context, input: TestRedisInput) =>
  runTest(ctx, {
    action: "Tested the connection to Redis",
    titles: { works: settingsTexts.redisWorks, fails: settingsTexts.redisFails },
    test: async () => ctx.connectionTests.redis(await targetOf(ctx, input)),
  });

const targetOf = async (ctx: Context, input: TestRedisInput): Promise<RedisTarget> => {
  const { plain, complaints } = await plainCredentials(ctx, { redis: input });
  const own = complaints.map(({ path, message }) => ({ path: path.replace("redis.", ""), message }));
  if (own.length > 0) throw validationError(own);
  const stored = await readSettings(ctx.db, ctx.secrets);
  const entered = plain.secrets["redis.password"];
  const fallback = fallbackOf(ctx, stored);
  const endpoint = plain.redis?.endpoint || fallback?.url;
  if (endpoint === undefined)
    throw validationError([{ path: "endpoint", message: settingsTexts.noRedisYet }]);
  const isOfEnvironment = stored.redis.endpoint === "" && keepsSecrets(fallback?.url ?? "", endpoint);
  if (isOfEnvironment && entered === undefined)
    return { url: endpoint, password: fallback?.password ?? null };
  const secret = secretForTest(stored, { name: "redis.password", entered, endpoint });
  if (secret.complaints.length > 0) throw validationError(secret.complaints);
  return { url: endpoint, password: secret.value };
};

/** The server that is meant when none is named: the stored one, or the environment's while none is stored. */
const fallbackOf = (ctx: Context, stored: StoredSettings): RedisTarget | null => {
  if (stored.redis.endpoint !== "") return { url: stored.redis.endpoint, password: null };
  const { redis } = ctx.settings.current;
  return redis?.source === "environment" ? redis : null;
};

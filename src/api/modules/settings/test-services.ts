import { idOfActor, requireAdmin } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { BucketTarget, ConnectionReport, RedisTarget, StoredSettings } from "#api/core/settings.ts";
import type { SecretName } from "#contract/credential-settings.ts";
import { keepsSecrets } from "#contract/endpoints.ts";
import { type FieldError, fieldTexts } from "#contract/errors.ts";
import { settingsTexts, type TestResult } from "#contract/settings.ts";
import type { TestBucketInput, TestRedisInput } from "./contract.ts";
import { plainCredentials } from "./credentials.ts";
import { endpointOf, readSettings } from "./store.ts";

/**
 * Tests object storage for real. For fields that are left out, the stored values are used; stored secrets are only sent
 * to their own server. For admins and the operator. Throws a 422 for invalid fields, with nothing sent, `CONFLICT` and
 * `TEST_FAILED`.
 */
export const testBucket = (ctx: Context, input: TestBucketInput) =>
  runTest(ctx, {
    action: "Tested the connection to object storage",
    titles: { works: settingsTexts.r2Works, fails: settingsTexts.r2Fails },
    test: async () => ctx.connectionTests.bucket(await bucketTarget(ctx, input)),
  });

const bucketTarget = async (ctx: Context, input: TestBucketInput): Promise<BucketTarget> => {
  const { plain, complaints } = await plainCredentials(ctx, { cloudflareR2: input });
  const own = complaints.map(({ path, message }) => ({ path: path.replace("cloudflareR2.", ""), message }));
  if (own.length > 0) throw validationError(own);
  const stored = await readSettings(ctx.db, ctx.secrets);
  const endpoint = plain.cloudflareR2?.endpointS3 || stored.cloudflareR2.endpointS3;
  const bucket = plain.cloudflareR2?.bucket || stored.cloudflareR2.bucket;
  const secret = (name: SecretName) =>
    secretForTest(stored, { name, entered: plain.secrets[name], endpoint });
  const token = secret("cloudflareR2.token");
  const accessKeyId = secret("cloudflareR2.accessKeyId");
  const secretAccessKey = secret("cloudflareR2.secretAccessKey");
  const faults = [
    ...missing("bucket", bucket),
    ...token.complaints,
    ...accessKeyId.complaints,
    ...secretAccessKey.complaints,
    ...(accessKeyId.complaints.length > 0 ? [] : missing("accessKeyId", accessKeyId.value)),
    ...(secretAccessKey.complaints.length > 0 ? [] : missing("secretAccessKey", secretAccessKey.value)),
    ...missing("endpointS3", endpoint),
  ];
  const isNothingThere =
    faults.length === 4 && faults.every(({ message }) => message === fieldTexts.required);
  if (isNothingThere) throw new AppError("VALIDATION_FAILED", settingsTexts.noBucketYet, { errors: faults });
  if (faults.length > 0) throw validationError(faults);
  return {
    endpoint,
    bucket,
    accessKeyId: accessKeyId.value ?? "",
    secretAccessKey: secretAccessKey.value ?? "",
    token: token.value,
  };
};

const missing = (path: string, value: string | null): FieldError[] =>
  value === null || value === "" ? [{ path, message: fieldTexts.required }] : [];

/**
 * Tests a Redis server for real. For fields that are left out, the stored values are used, or those of the environment
 * if none are stored; a stored password is only sent to its own server. For admins and the operator. Throws a 422 for
 * invalid fields, with nothing sent, `CONFLICT` and `TEST_FAILED`.
 */
export const testRedis = (ctx: Context, input: TestRedisInput) =>
  runTest(ctx, {
    action: "Tested the connection to Redis",
    titles: { works: settingsTexts.redisWorks, fails: settingsTexts.redisFails },
    test: async () => ctx.connectionTests.redis(await redisTarget(ctx, input)),
  });

const redisTarget = async (ctx: Context, input: TestRedisInput): Promise<RedisTarget> => {
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

/** The server if none is given: the stored one, or the environment's if none is stored. */
const fallbackOf = (ctx: Context, stored: StoredSettings): RedisTarget | null => {
  if (stored.redis.endpoint !== "") return { url: stored.redis.endpoint, password: null };
  const { redis } = ctx.settings.current;
  return redis?.source === "environment" ? redis : null;
};

/**
 * Sends a burst through the real limiter, under a key that no one else has. For admins and the operator. Throws
 * `CONFLICT` and `TEST_FAILED`.
 */
export const testRateLimit = (ctx: Context) =>
  runTest(ctx, {
    action: "Tested the request limit",
    titles: { works: settingsTexts.limiterWorks, fails: settingsTexts.limiterFails },
    test: () => ctx.connectionTests.rateLimiter(),
  });

/** A test that an admin asked for. `action` is its name in the log. */
type IntendedTest = {
  action: string;
  titles: TestTitles;
  test(): Promise<ConnectionReport>;
};

// By process: each admin can run one test at a time, so that they can't be used to flood a service.
const running = new WeakMap<object, Set<string>>();

/**
 * Runs one test of an external service and returns its result. It is recorded in the log, whether or not it succeeds.
 * For admins and the operator; an API token doesn't get to know why it failed. Throws `CONFLICT` while a test of the
 * same user is running, and `TEST_FAILED`, with the result, if it failed.
 */
export const runTest = async (
  ctx: Context,
  { action, titles, test }: IntendedTest,
): Promise<{ message: string; data: { testResult: TestResult } }> => {
  requireAdmin(ctx);
  const report = await oneAtATime(ctx, test);
  const testResult = asTestResult(ctx.actor.kind === "token" ? withoutCause(report) : report, titles);
  const entry = {
    type: "admin_action" as const,
    action,
    description: testResult.message,
    status: report.isWorking ? ("success" as const) : ("failure" as const),
  };
  await adminAction(ctx, entry, async () => {});
  const message = testResult.message === "" ? testResult.title : testResult.message;
  if (!report.isWorking) throw new AppError("TEST_FAILED", message, { data: { testResult } });
  return { message, data: { testResult } };
};

/** A failure for API tokens: the reason would reveal what is in the server's network. */
const withoutCause = (report: ConnectionReport): ConnectionReport =>
  report.isWorking ? report : { ...report, summary: settingsTexts.causeWithheld, details: "", steps: [] };

const oneAtATime = async <T>(ctx: Context, work: () => Promise<T>): Promise<T> => {
  const people = running.get(ctx.connectionTests) ?? new Set();
  running.set(ctx.connectionTests, people);
  const who = idOfActor(ctx.actor);
  if (people.has(who)) throw new AppError("CONFLICT", settingsTexts.testRunning);
  people.add(who);
  try {
    return await work();
  } finally {
    people.delete(who);
  }
};

/** The secret to test with, if any, and what stands against it. */
type SecretForTest = { value: string | null; complaints: FieldError[] };

/**
 * The secret that was entered, or else the stored one if it is for exactly the server to be tested. It is a complaint
 * if the stored one is for another, or can't be read.
 */
const secretForTest = (
  stored: StoredSettings,
  { name, entered, endpoint }: { name: SecretName; entered: string | null | undefined; endpoint: string },
): SecretForTest => {
  if (entered !== undefined) return { value: entered, complaints: [] };
  const former = stored.secrets[name];
  if (former === undefined) return { value: null, complaints: [] };
  const path = name.slice(name.indexOf(".") + 1);
  const refused = (message: string) => ({ value: null, complaints: [{ path, message }] });
  if (!keepsSecrets(endpointOf(name, stored), endpoint)) return refused(settingsTexts.enterAgain);
  return former.value === null
    ? refused(settingsTexts.secretUnreadable)
    : { value: former.value, complaints: [] };
};

/** The headline of a test result, by outcome. */
type TestTitles = { works: string; fails: string };

/**
 * A test's report as admins see it. A success with a warning among its steps is a warning; the summary doesn't repeat
 * what a step already says.
 */
export const asTestResult = (
  { isWorking, summary, details, steps }: ConnectionReport,
  { works, fails }: TestTitles,
): TestResult => {
  const good = steps.some(({ status }) => status === "warning") ? "warning" : "success";
  return {
    title: isWorking ? works : fails,
    message: summary,
    severity: isWorking ? good : "error",
    details: steps.some(({ message, remedy }) => details === message || details === remedy) ? "" : details,
    testResults: steps,
  };
};

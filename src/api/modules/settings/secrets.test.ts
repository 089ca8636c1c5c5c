import { expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { accessMatrix } from "#api/testing/access-matrix.ts";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { readStream } from "#api/testing/live-stream.ts";
import { goodBucket, r2Endpoint, saidInLog, settingsCalls } from "#api/testing/settings-calls.ts";

setDefaultTimeout(60_000);

/** Everything that must not be found; made up here, so that each is found where it leaks from. */
const canaries: string[] = [];
const canary = (what: string): string => {
  const text = `canary-${what}-${canaries.length}-Kq7vWm2xLr9T`;
  canaries.push(text);
  return text;
};

const host = await hostForFile({
  hasher: createCheapHasher(),
  settings: "stored",
  redisUrl: `redis://:${canary("environment")}@env.example`,
});
const admin = await host.signedIn("admin");
const calls = settingsCalls(admin);

const keys = () => ({
  token: canary("token"),
  accessKeyId: canary("access-key"),
  secretAccessKey: canary("secret-key"),
});

/** Every way in which a secret can come: right, replaced, refused, tried, reverted. */
const useSecrets = async (): Promise<unknown[]> => {
  const { bucket, endpointS3 } = goodBucket;
  const said: unknown[] = [];
  const say = async (answered: Promise<unknown>) => void said.push(await answered);
  const redis = "redis://redis.example";
  await say(calls.save({ redis: { endpoint: `redis://user:${canary("in-url")}@redis.example` } }));
  await say(calls.save({ redis: { endpoint: redis, password: canary("password") } }));
  await say(
    calls.save({ redis: { password: canary("replaced") }, cloudflareR2: { bucket, endpointS3, ...keys() } }),
  );
  await say(calls.save({ cloudflareR2: keys() }));
  await say(calls.save({ redis: { endpoint: "redis://other.example" } }));
  await say(calls.save({ redis: { endpoint: `x://:${canary("bad-url")}@redis.example` } }));
  await say(calls.save({ redis: { password: `${canary("unprintable")}\n` } }));
  await say(
    calls.save({ cloudflareR2: { ...keys(), bucket: canary("wrong-field"), token: `${canary("bad")} !` } }),
  );
  await say(calls.save({ redis: { [canary("key")]: canary("value") } }));
  await say(calls.save({ redis: { password: [canary("array")] } }));
  await say(calls.save(canary("text")));
  await say(calls.tell("POST", "/test-redis", { endpoint: `redis://:${canary("tried")}@other.example` }));
  await say(
    calls.tell("POST", "/test-redis", { endpoint: "redis://third.example", password: canary("typed") }),
  );
  await say(calls.tell("POST", "/test-redis", {}));
  await say(calls.tell("POST", "/test-r2", { endpointS3: r2Endpoint("c"), ...keys() }));
  await say(calls.tell("POST", "/test-r2", {}));
  await say(calls.save({ redis: { endpoint: "redis://new.example", password: canary("moved") } }));
  const [change] = await calls.history("?limit=1");
  await say(calls.tell("POST", `/history/${Reflect.get(Object(change), "id")}/revert`));
  await say(calls.save({ redis: { password: canary("last") } }));
  return said;
};

/** What every route that reads answers to the admin. */
const readEverything = async (): Promise<Record<string, string>> => {
  const said: Record<string, string> = {};
  for (const [route, row] of Object.entries(accessMatrix)) {
    const [method = "", template = ""] = route.split(" ");
    if (method !== "GET" || template.includes("logout") || template.includes("callback")) continue;
    const answer = await admin.call("GET", row.path);
    if (answer.headers.get("content-type") !== "text/event-stream") {
      said[route] = await answer.text();
      continue;
    }
    await answer.body?.cancel();
    const stream = readStream(await admin.call("GET", `${template}?after=0`));
    await stream.actions(5);
    await stream.close();
    said[route] = stream.text;
  }
  for (const format of ["csv", "ndjson"]) {
    const file = await admin.call("GET", `/api/admin/activity/export?format=${format}`);
    said[format] = await file.text();
  }
  return said;
};

/** All rows of all tables as text, as somebody would have them who took a copy. */
const dump = async (db: Database): Promise<string> => {
  const tables = await db.execute<{ name: string }>(sql`
    select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await db.execute<{ row: string }>(sql`select t::text as row from ${sql.raw(name)} t`);
    texts.push(`${name}: ${rows.map(({ row }) => row).join("\n")}`);
  }
  return texts.join("\n");
};

const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  // Without the ends, which depend on what stands beside them.
  return [
    secret,
    bytes.toString("hex"),
    bytes.toString("base64").slice(2, -4),
    bytes.toString("base64url").slice(2, -4),
  ];
};

test("S1: no secret that was saved, tried or refused is in an answer, a file, the database, a log or a record", async () => {
  const answers = await useSecrets();
  await host.services.activity.settle();
  const said: Record<string, string> = {
    ...(await readEverything()),
    answers: JSON.stringify(answers),
    database: await dump(host.db),
    log: saidInLog(host),
  };
  expect(canaries.length).toBeGreaterThan(25);
  for (const [where, text] of Object.entries(said))
    for (const secret of canaries)
      for (const form of formsOf(secret)) {
        // An unknown field is named as the caller named it.
        if (secret.startsWith("canary-key-") && where === "answers") continue;
        expect([where, secret, text.includes(form)]).toEqual([where, secret, false]);
      }
  // What was done is there, and the last secrets are in use.
  expect(said.database).toContain("redis.password");
  expect(said.csv).toContain("Changed external services");
  expect(host.services.settings.current.redis?.password).toBe(canaries.at(-1) ?? "");
});

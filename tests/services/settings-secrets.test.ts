import { afterAll, expect, test } from "bun:test";
import { openTcpSink } from "#api/testing/tcp-sink.ts";
import { until } from "#api/testing/until.ts";
import { type Outcome, run } from "#cli/testing/run.ts";
import { serverForFile } from "../driver/for-file.ts";
import { createPerson } from "../driver/person.ts";
import { startRedis } from "./redis.ts";

/** Everything that must not be found. */
const canaries: string[] = [];
const canary = (what: string): string => {
  const text = `canary-${what}-${canaries.length}-Kq7vWm2xLr9T`;
  canaries.push(text);
  return text;
};

const redis = await startRedis();
const storage = await openTcpSink(
  () => "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
);
const origin = `http://127.0.0.1:${storage.port}`;
const server = await serverForFile({ isLimited: true, env: { S3_ENDPOINTS: origin, LOG_LEVEL: "debug" } });
afterAll(async () => {
  await storage.close();
  redis.stop();
});

const settings = async (words: string, input = ""): Promise<Outcome> =>
  run(["settings", ...words.split(" ")], { env: { DATA_DIR: server.dataDir }, input });

/** Each key of the database with all that it holds. */
const contentsOfRedis = async (): Promise<string[]> => {
  const readers: Record<string, (key: string) => Promise<unknown>> = {
    string: (key) => redis.tell("get", key),
    hash: (key) => redis.tell("hgetall", key),
    list: (key) => redis.tell("lrange", key, "0", "-1"),
    set: (key) => redis.tell("smembers", key),
    zset: (key) => redis.tell("zrange", key, "0", "-1", "withscores"),
  };
  const keys = await redis.tell("keys", "*");
  if (!Array.isArray(keys)) throw new Error("there are no keys");
  return Promise.all(
    keys.map(async (key: string) => {
      const read = readers[String(await redis.tell("type", key))];
      if (read === undefined) throw new Error(`nothing reads ${key}`);
      return JSON.stringify([key, await read(key)]);
    }),
  );
};

const redisState = async (): Promise<string> => {
  const { out } = await run(["status", "--json"], { env: { DATA_DIR: server.dataDir } });
  return JSON.parse(out).redis.state;
};

// The built pages are no place to look at: they are made before there is an installation, and read none.
test("S1: no secret of the settings is in what the terminal shows, what Redis holds or what the server says", async () => {
  const said: [where: string, text: string][] = [];
  const tell = async (code: number, words: string, input?: string): Promise<void> => {
    for (const way of ["", " --json"]) {
      const { code: ended, out, err } = await settings(`${words}${way}`, input);
      expect([words, ended]).toEqual([words, code]);
      said.push([`${words}${way}`, out + err]);
    }
  };
  const [at, origin] = [`127.0.0.1:${redis.port}`, `http://127.0.0.1:${storage.port}`];
  const password = canary("password");
  await redis.tell("acl", "setuser", "atrium", "on", `>${password}`, "~*", "&*", "+@all");
  const endpoint = "set credentials.redis.endpoint --stdin";
  const bucket = "credentials.cloudflareR2";
  const keys = `${bucket}.token ${bucket}.accessKeyId ${bucket}.secretAccessKey`;
  const typedKeys = () => `${canary("token")}\n${canary("access-key")}\n${canary("secret-key")}\n`;

  // Saved, though it is wrong, and tried; refused; then right.
  await tell(0, endpoint, `redis://atrium:${canary("wrong")}@${at}\n`);
  await tell(1, "test redis");
  await tell(2, endpoint, `redis://atrium:${canary("of-another-form")}@\n`);
  await tell(2, endpoint, `redis://atrium:${canary("for-a-port")}@127.0.0.1:25\n`);
  await tell(2, `set credentials.redis.password ${canary("argument")}`);
  await tell(2, `set credentials.redis.endpoint redis://:${canary("in-argument")}@${at}`);
  await tell(2, `set ${keys} --stdin`, typedKeys());
  await tell(0, `set ${bucket}.bucket files ${bucket}.endpointS3 ${origin} ${keys} --stdin`, typedKeys());
  await tell(1, "test r2");
  await tell(0, "set credentials.redis.password --stdin", `${password}\n`);
  await tell(0, "test redis");
  for (const read of ["get", "get credentials", "history"]) await tell(0, read);

  // What Redis is used for: limits of both kinds, sessions and events.
  await until(async () => (await redisState()) === "up");
  const visitor = createPerson(server.url);
  for (const email of ["ada@example.com", "bob@example.com"])
    expect((await visitor.call("POST", "/api/auth/login", { email, password: "not it" })).status).toBe(401);
  const held = await contentsOfRedis();
  expect(held.length).toBeGreaterThan(2);
  said.push(["Redis", held.join("\n")], ["the server", server.output()]);

  expect(canaries.length).toBeGreaterThan(10);
  for (const [where, text] of said)
    for (const secret of canaries)
      for (const form of [secret, Buffer.from(secret).toString("hex"), btoa(secret).slice(2, -4)])
        expect([where, secret, text.includes(form)]).toEqual([where, secret, false]);
  expect(said.find(([where]) => where === "history")?.[1]).toContain("redis.password was replaced");
  expect(said.find(([where]) => where === endpoint)?.[1]).toContain("credentials.redis.password was saved");
});

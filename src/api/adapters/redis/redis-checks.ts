import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { TestStep } from "#contract/settings.ts";
import { isRefusal, unlessRefused } from "./redis-failure.ts";
import { redisCommandMs } from "./redis-link.ts";

/** What one check found, in clauses: whoever shows them makes sentences of them. */
export type Finding = Pick<TestStep, "status" | "message" | "remedy">;

/** What the server says of itself; unknown where its user may not ask. */
export type RedisFacts = { version: string | null; latencyMs: number | null };

/** A check of one side of a server; throws what the server refuses or does not answer. */
export type RedisCheck = { name: string; run(client: Redis, facts: RedisFacts): Promise<Finding> };

const readAndWrite = async (client: Redis): Promise<Finding> => {
  const [key, word] = [`atrium:test:${randomUUID()}`, randomUUID()];
  await client.set(key, word, "PX", 10_000);
  const read = await client.getrange(key, 0, 100);
  await client.del(key);
  return read === word
    ? { status: "passed", message: "A key was written, read and deleted" }
    : {
        status: "failed",
        message: "The value that was read is not the one that was written",
        remedy: "Check the server",
      };
};

const permissions = async (client: Redis): Promise<Finding> => {
  const { needed, useful } = await refusedCommands(client);
  if (needed.length > 0)
    return {
      status: "failed",
      message: `The user may not run: ${needed.join(", ")}`,
      remedy: "Allow these with ACL SETUSER, on the keys ~atrium:*",
    };
  if (useful.length > 0)
    return {
      status: "warning",
      message: `The user may not run: ${useful.join(", ")}. Events between servers use only PostgreSQL`,
      remedy: "Allow these with ACL SETUSER, on the channels &atrium:*",
    };
  return { status: "passed", message: "The user may run all required commands" };
};

const latency = async (client: Redis, facts: RedisFacts): Promise<Finding> => {
  const times: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const startedAt = performance.now();
    await client.ping();
    times.push(performance.now() - startedAt);
  }
  const medianMs = times.sort((one, other) => one - other)[2] ?? 0;
  facts.latencyMs = medianMs;
  const words = `${medianMs.toFixed(1)} ms (median of 5)`;
  if (medianMs >= redisCommandMs)
    return {
      status: "failed",
      message: `${words}; above ${redisCommandMs} ms the server is not used`,
      remedy: "Use a server that is closer",
    };
  if (medianMs > slowMs)
    return {
      status: "warning",
      message: `${words}; each counted request waits that long`,
      remedy: "Use a server that is closer",
    };
  return { status: "passed", message: words };
};

const version = async (client: Redis, facts: RedisFacts): Promise<Finding> => {
  const info = await readInfo(client, "server");
  if (info === null) return notAllowed;
  const found = /^(\d{1,3})\.\d{1,3}\.\d{1,3}$/.exec(info.get("redis_version") ?? "");
  if (found === null)
    return {
      status: "warning",
      message: "The server doesn't report its version",
      remedy: "Make sure that it is Redis 7 or newer",
    };
  facts.version = found[0];
  return Number(found[1]) >= 7
    ? { status: "passed", message: `Redis ${found[0]}` }
    : {
        status: "warning",
        message: `Redis ${found[0]}, which is no longer maintained`,
        remedy: "Update it to Redis 7 or newer",
      };
};

const eviction = async (client: Redis): Promise<Finding> => {
  const info = await readInfo(client, "memory");
  if (info === null) return notAllowed;
  const policy = policies.find((known) => known === info.get("maxmemory_policy"));
  if (info.get("maxmemory") === "0") return { status: "passed", message: "Memory has no limit" };
  if (policy === "noeviction")
    return { status: "passed", message: "The policy is noeviction: no count is ever lost" };
  return {
    status: "warning",
    message: `The policy is ${policy ?? "unknown"}: when memory is full, counts of requests and sign-ins may be lost`,
    remedy: "Set maxmemory-policy to noeviction",
  };
};

/** Commands that the server refused: those without which Redis is not used, and those that can be done without. */
type RefusedCommands = { needed: string[]; useful: string[] };

/** Tries each command that Atrium sends, on throw-away keys and a channel that no one hears. */
const refusedCommands = async (client: Redis): Promise<RefusedCommands> => {
  const name = `atrium:test:${randomUUID()}`;
  const [load, script, publish, subscribe] = await Promise.all([
    isRefused(client.script("LOAD", trialScript)),
    refusedInScript(client, [`${name}:set`, `${name}:list`]),
    isRefused(client.publish(name, "")),
    isRefused(hearAndLeave(client, name)),
  ]);
  return {
    needed: [...(load ? ["SCRIPT LOAD"] : []), ...script],
    useful: [...(publish ? ["PUBLISH"] : []), ...(subscribe ? ["SUBSCRIBE"] : [])],
  };
};

const hearAndLeave = async (client: Redis, channel: string): Promise<void> => {
  // An older protocol would take the connection for messages alone.
  if (client.condition?.protocol !== 3) return;
  await client.subscribe(channel);
  await client.unsubscribe(channel);
};

const refusedInScript = async (client: Redis, keys: string[]): Promise<string[]> => {
  try {
    const answer = await client.evalsha(shaOfScript, keys.length, ...keys);
    const refused = Array.isArray(answer) ? answer.map(String) : [];
    return commands.filter((command) => refused.includes(command));
  } catch (error) {
    if (isForbidden(error)) return ["EVALSHA"];
    // Where scripts cannot be loaded, there is none.
    if (isRefusal(error)) return [];
    throw error;
  }
};

const isRefused = async (command: Promise<unknown>): Promise<boolean> => {
  try {
    await command;
    return false;
  } catch (error) {
    if (isForbidden(error)) return true;
    throw error;
  }
};

/** Refused to this user, or to everyone by renaming the command. */
const isForbidden = (error: unknown): boolean =>
  isRefusal(error) && /^NOPERM|unknown command/i.test(String(Reflect.get(Object(error), "message")));

/** What the scripts of limits and attempts call, with words that change nothing of value. */
const calls: readonly [string, ...string[]][] = [
  ["TIME"],
  ["ZADD", "KEYS[1]", "0", "'x'"],
  ["ZCARD", "KEYS[1]"],
  ["ZRANGE", "KEYS[1]", "0", "0"],
  ["ZRANGEBYSCORE", "KEYS[1]", "0", "0"],
  ["ZREM", "KEYS[1]", "'x'"],
  ["ZREMRANGEBYSCORE", "KEYS[1]", "0", "0"],
  ["RPUSH", "KEYS[2]", "'x'"],
  ["LINDEX", "KEYS[2]", "0"],
  ["LLEN", "KEYS[2]"],
  ["LRANGE", "KEYS[2]", "0", "0"],
  ["PEXPIRE", "KEYS[2]", "1000"],
  ["LPOP", "KEYS[2]"],
  ["DEL", "KEYS[1]", "KEYS[2]"],
];
const commands = calls.map(([command]) => command);

const trialScript = `
local refused = {}
local function try(command, ...)
  local answer = redis.pcall(command, ...)
  local reason = type(answer) == 'table' and answer.err or ''
  if reason:find('NOPERM') or reason:find('executing the script') or reason:find('nknown') then
    refused[#refused + 1] = command
  end
end
${calls.map(([command, ...words]) => `try(${[`'${command}'`, ...words].join(", ")})`).join("\n")}
return refused`;

const shaOfScript = new Bun.CryptoHasher("sha1").update(trialScript).digest("hex");

/** What is tried on an open connection, in order: see `runRedisChecks`. */
export const redisChecks: readonly RedisCheck[] = [
  { name: "Read and write", run: readAndWrite },
  { name: "Permissions", run: permissions },
  { name: "Version", run: version },
  { name: "Latency", run: latency },
  { name: "Eviction policy", run: eviction },
];

/** Whether the others still make sense after this failure. */
export const mayGoOn = isRefusal;

const notAllowed: Finding = {
  status: "skipped",
  message: "The user may not run INFO; it is not required",
};
const slowMs = 50;
const policies = [
  "noeviction",
  "allkeys-lru",
  "allkeys-lfu",
  "allkeys-random",
  "allkeys-lrm",
  "volatile-lru",
  "volatile-lfu",
  "volatile-random",
  "volatile-ttl",
  "volatile-lrm",
];

/** The lines `name:value` of what INFO answers; `null` when the user may not ask. */
const readInfo = async (client: Redis, section: string): Promise<Map<string, string> | null> => {
  const text = await unlessRefused(client.info(section));
  if (text === null) return null;
  return new Map([...text.matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = "", value = ""]) => [name, value]));
};

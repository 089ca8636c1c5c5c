import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import { isRefusal } from "./redis-failure.ts";

/** Commands that the server refused: those without which Redis is not used, and those that can be done without. */
export type RefusedCommands = { needed: string[]; useful: string[] };

/** Tries each command that Atrium sends, on throw-away keys and a channel that no one hears. */
export const refusedCommands = async (client: Redis): Promise<RefusedCommands> => {
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

import type { Redis } from "ioredis";
import { hideKeys } from "../redis/redis-failure.ts";
import type { RedisLink } from "../redis/redis-link.ts";
import type { RateDecision, RateRule } from "./rate-limiter.ts";

/** `secret` is known to all processes of the installation, and to no one else. */
export type RedisRateCounterOptions = { link: RedisLink; secret: Uint8Array };

/** Counts requests of all processes that share a Redis server. `null` and `false`: it could not be asked. */
export type RedisRateCounter = {
  take(key: string, rule: RateRule): Promise<RateDecision | null>;
  forget(key: string): Promise<boolean>;
};

/**
 * One list of moments for each key, changed in one step by Redis's own clock; it goes by itself when its window is
 * over. Keys are hidden, because they hold addresses of people.
 */
export const createRedisRateCounter = ({ link, secret }: RedisRateCounterOptions): RedisRateCounter => {
  const hide = hideKeys(secret, "rate-limit");
  const nameOf = (key: string): string => `atrium:requests:${hide(key)}`;
  link.onConnect(async (client) => {
    await client.script("LOAD", script);
    // Proves that this connection may write, and that there is room for it.
    await client.set("atrium:requests:probe", "", "PX", 1_000);
  });
  return {
    take: (key, rule) => link.ask((client) => takeThere(client, nameOf(key), rule)),
    forget: async (key) => (await link.ask((client) => client.del(nameOf(key)))) !== null,
  };
};

const takeThere = async (client: Redis, name: string, rule: RateRule): Promise<RateDecision> =>
  readDecision(await client.evalsha(scriptSha, 1, name, rule.max, rule.windowMs), rule);

/**
 * Takes what the script can say, and nothing else: it comes from a server that others may write to. What is thrown ends
 * the connection, and memory decides.
 */
const readDecision = (answer: unknown, { max, windowMs }: RateRule): RateDecision => {
  const [allowed, remaining, resetMs] = Array.isArray(answer) && answer.length === 3 ? answer : [];
  const isDecision =
    (allowed === 0 || allowed === 1) &&
    isBetween(remaining, 0, allowed === 1 ? max - 1 : 0) &&
    isBetween(resetMs, 1, windowMs);
  if (!isDecision) throw new Error("unexpected response from a script");
  return { isAllowed: allowed === 1, remaining, resetMs };
};

const isBetween = (value: unknown, least: number, most: number): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

/** Arguments: how many pass, and the window in milliseconds. Moments are rounded up: no window holds more than it may. */
const script = `
local key, max, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local moment = time[1] * 1000 + math.ceil(time[2] / 1000)
local function at(index) return tonumber(redis.call('LINDEX', key, index) or nil) end
if (at(-1) or 0) > moment then
  -- Requests of the future came before the clock was set back: they count from now on, for one window more.
  local known = redis.call('LRANGE', key, 0, -1)
  redis.call('DEL', key)
  for _, earlier in ipairs(known) do redis.call('RPUSH', key, math.min(tonumber(earlier), moment)) end
end
while (at(0) or now) <= now - window do redis.call('LPOP', key) end
local used = redis.call('LLEN', key)
if used < max then redis.call('RPUSH', key, moment) end
redis.call('PEXPIRE', key, at(-1) + window - now)
local decisive = used < max and at(0) or at(used - max)
return { used < max and 1 or 0, math.max(0, max - used - 1), math.min(window, decisive + window - now) }`;

const scriptSha = new Bun.CryptoHasher("sha1").update(script).digest("hex");

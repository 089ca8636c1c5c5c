import type { Redis } from "ioredis";
import type { Clock } from "#api/core/clock.ts";
import type { AttemptBudget } from "#api/core/context.ts";
import { limits } from "#contract/limits.ts";
import { hideKeys } from "../redis/redis-failure.ts";
import type { Obstacle } from "./attempts.ts";

/** `hold` takes places for an attempt under way, `count` counts a failure at once. */
export type Entry = { id: string; budgets: AttemptBudget[]; as: "hold" | "count" };

/** What Redis is told afterwards: that an attempt is under way, how it ended, or which failures to forget. */
export type Change =
  | { kind: "attempt"; id: string; budgets: AttemptBudget[]; state: "held" | "failed" | "over" }
  | { kind: "clear"; keys: string[] };

/** How long the places of an attempt stay taken when its process dies, in milliseconds. */
const holdMs = 30_000;

/** How long it stays known that failures were forgiven, in milliseconds: no sign-in is counted for longer. */
const forgivenMs = limits.signInWindowMs;

/** Counts of all processes that share a Redis server. */
export type RedisLedger = {
  /** Loads the scripts, and proves with one of them that this connection may write. */
  prepare(client: Redis): Promise<void>;
  /** Enters all budgets or, when something is in the way, none: one step for Redis, by its own clock. */
  enter(client: Redis, entry: Entry): Promise<Obstacle | null>;
  /** Makes a change that happened `agoMs` before. Twice is the same as once. */
  apply(client: Redis, change: Change, agoMs: number): Promise<void>;
  /**
   * How long ago a process of this installation last had the failures of a key forgotten; `null` when none did. No one else
   * can say so: the moment is sealed together with the key, and saying an old one again forgives nothing new.
   */
  forgivenAgoMs(client: Redis, key: string): Promise<number | null>;
};

/** A ledger whose keys are hidden by `secret`: whoever reads or writes there is not to know whose counts they are. */
export const createRedisLedger = (secret: Uint8Array, clock: Clock): RedisLedger => {
  const hide = hideKeys(secret, "sign-in-limits");
  const seal = hideKeys(secret, "forgiven-attempts");
  const nameOf = (key: string): string => `atrium:attempts:${hide(key)}`;

  const evaluate = (client: Redis, sha: string, budgets: AttemptBudget[], words: (string | number)[]) => {
    const names = budgets.map(({ key }) => nameOf(key)).flatMap((name) => [name, `${name}:held`]);
    return client.evalsha(sha, names.length, ...names, ...words);
  };

  const forgivenName = (key: string): string => `${nameOf(key)}:forgiven`;
  const markOf = (key: string, atMs: number): string => `${atMs} ${seal(`${atMs} ${key}`)}`;

  const forgive = async (client: Redis, key: string, agoMs: number): Promise<void> => {
    const name = forgivenName(key);
    const mark = markOf(key, Math.round(clock.now().getTime() - agoMs));
    // A set, because its commands are among those that the counts need.
    await Promise.all([
      client.del(nameOf(key), name),
      client.zadd(name, "0", mark),
      client.pexpire(name, forgivenMs),
    ]);
  };

  const apply = async (client: Redis, change: Change, agoMs: number): Promise<void> => {
    if (change.kind === "clear") {
      await Promise.all(change.keys.map((key) => forgive(client, key, agoMs)));
      return;
    }
    const { id, budgets, state } = change;
    const windows = budgets.map(({ windowMs }) => windowMs);
    await evaluate(client, attemptSha, budgets, [id, state, Math.max(0, agoMs), holdMs, ...windows]);
  };

  return {
    prepare: async (client) => {
      await Promise.all([client.script("LOAD", enterScript), client.script("LOAD", attemptScript)]);
      const budgets = [{ key: "probe", most: 1, windowMs: 1_000, message: String }];
      await apply(client, { kind: "attempt", id: "probe", budgets, state: "failed" }, 0);
    },
    enter: async (client, { id, budgets, as }) => {
      const bounds = budgets.flatMap(({ most, windowMs }) => [most, windowMs]);
      return readObstacle(await evaluate(client, enterSha, budgets, [id, as, holdMs, ...bounds]), budgets);
    },
    apply,
    forgivenAgoMs: async (client, key) => {
      const [mark] = await client.zrange(forgivenName(key), "0", "0");
      const atMs = Number.parseInt(mark ?? "", 10);
      const agoMs = clock.now().getTime() - atMs;
      // One of the future was written by a clock that is ahead: what fails until then is not forgiven.
      if (mark !== markOf(key, atMs) || agoMs < 0) return null;
      // Both moments are whole milliseconds, rounded down: what failed just before is meant as well.
      return agoMs - 1;
    },
  };
};

/** Takes what the script can say, and nothing else: it comes from a server that others may write to. */
const readObstacle = (answer: unknown, budgets: AttemptBudget[]): Obstacle | null => {
  const [state, position, waitMs] = Array.isArray(answer) ? answer : [];
  const budget = budgets[Number(position) - 1];
  if (state === "entered") return null;
  if (budget !== undefined && state === "busy") return { state, budget };
  const isTime = Number.isInteger(waitMs) && waitMs >= 0 && waitMs <= (budget?.windowMs ?? 0);
  if (budget !== undefined && state === "full" && isTime) return { state, budget, waitMs };
  throw new Error("unexpected response from a script");
};

/**
 * Two sorted sets for each key: failures by the time at which they happened, attempts under way by the time at which
 * they expire. Arguments: id, `hold` or `count`, `holdMs`, then `most` and `windowMs` of each key.
 */
const enterScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local full, waitMs, busy = 0, 0, 0
for i = 1, #KEYS / 2 do
  local failures, held = KEYS[2 * i - 1], KEYS[2 * i]
  local most, windowMs = tonumber(ARGV[2 * i + 2]), tonumber(ARGV[2 * i + 3])
  redis.call('ZREMRANGEBYSCORE', failures, '-inf', now - windowMs)
  redis.call('ZREMRANGEBYSCORE', held, '-inf', now)
  -- A failure of the future happened before the clock was set back.
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', failures, now + 1, '+inf')) do
    redis.call('ZADD', failures, now, id)
  end
  local counted = redis.call('ZCARD', failures)
  if counted >= most then
    local leaving = redis.call('ZRANGE', failures, counted - most, counted - most, 'WITHSCORES')
    local ms = leaving[2] + windowMs - now
    if ms > waitMs then full, waitMs = i, ms end
  elseif counted + redis.call('ZCARD', held) >= most then
    busy = i
  end
end
if full > 0 then return { 'full', full, waitMs } end
if busy > 0 then return { 'busy', busy } end
for i = 1, #KEYS / 2 do
  if ARGV[2] == 'count' then
    redis.call('ZADD', KEYS[2 * i - 1], now, ARGV[1])
    redis.call('PEXPIRE', KEYS[2 * i - 1], ARGV[2 * i + 3])
  else
    redis.call('ZADD', KEYS[2 * i], now + ARGV[3], ARGV[1])
    redis.call('PEXPIRE', KEYS[2 * i], ARGV[3])
  end
end
return { 'entered' }`;

/** Puts an attempt where it belongs. Arguments: id, state, its age in milliseconds, `holdMs`, then `windowMs` of each key. */
const attemptScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local id, state, agoMs = ARGV[1], ARGV[2], tonumber(ARGV[3])
for i = 1, #KEYS / 2 do
  local failures, held, windowMs = KEYS[2 * i - 1], KEYS[2 * i], tonumber(ARGV[i + 4])
  if state == 'held' then
    redis.call('ZADD', held, now + ARGV[4], id)
    redis.call('PEXPIRE', held, ARGV[4])
  else
    redis.call('ZREM', held, id)
  end
  if state == 'failed' and agoMs < windowMs then
    redis.call('ZADD', failures, now - agoMs, id)
    redis.call('PEXPIRE', failures, windowMs)
  else
    redis.call('ZREM', failures, id)
  end
end`;

const shaOf = (script: string): string => new Bun.CryptoHasher("sha1").update(script).digest("hex");
const enterSha = shaOf(enterScript);
const attemptSha = shaOf(attemptScript);

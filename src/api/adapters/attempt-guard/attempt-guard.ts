import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { AppError } from "#api/core/app-error.ts";
import type { Clock } from "#api/core/clock.ts";
import type { AttemptBudget, AttemptGuard } from "#api/core/context.ts";
import { within } from "#api/core/timing.ts";
import { limits } from "#contract/limits.ts";
import { hideKeys } from "../redis/redis-failure.ts";
import { type RedisLink, redisCommandMs } from "../redis/redis-link.ts";
import {
  type ClosableAttemptGuard,
  createMemoryAttemptGuard,
  type Leave,
  mostWaiting,
  type Obstacle,
  runAttempt,
  tooBusy,
  tooMany,
} from "./memory-attempt-guard.ts";

/** `secret` hides in Redis whom a count is about; the same in all processes of an installation. */
type AttemptGuardOptions = { clock: Clock; link: RedisLink; secret: Uint8Array };

/**
 * Counts failures of all processes that share a Redis server. This process's own are counted in memory too: an attempt must
 * find room in both counts, so that whoever may write to Redis gets no more tries out of a process than it counted itself.
 * When Redis is away, or there is none, memory alone decides, and Redis hears of the difference as soon as it can. The guard
 * is ready at once: nothing waits for Redis.
 *
 * What another process forgives, this one learns from a sealed mark in Redis, which it reads when its own count alone stands
 * in the way. Where the mark is lost or Redis is away, it remembers: who is in the right waits until their failures
 * here are out of the window, and no longer. Why it is so: docs/decisions/0013-sign-in-limits.md.
 */
export const createAttemptGuard = ({ clock, link, secret }: AttemptGuardOptions): ClosableAttemptGuard => {
  const ledger = createRedisLedger(secret, clock);
  const memory = createMemoryAttemptGuard({ clock });
  const missed = createMissedChanges();
  const sending = new Set<Promise<void>>();
  const waiting = new Map<string, number>();
  // Attempts under way that memory let in and Redis has not heard of.
  const unknown = new Map<string, Entry>();

  const nowMs = (): number => clock.uptimeMs();

  const apply = (client: Redis, { change, atMs }: DatedChange): Promise<void> =>
    ledger.apply(client, change, nowMs() - atMs);

  const takeMissed = (): DatedChange[] => {
    const ended = missed.take(batchSize);
    if (ended.length > 0) return ended;
    const begun = [...unknown.values()].slice(0, batchSize);
    for (const { id } of begun) unknown.delete(id);
    return begun.map((entry) => ({ change: stateOf(entry, "held"), atMs: nowMs() }));
  };

  /** Tells Redis what it missed, little by little, so that no one's command waits behind it. */
  const catchUp = async (client: Redis): Promise<void> => {
    for (let batch = takeMissed(); batch.length > 0; batch = takeMissed()) {
      try {
        await within(redisCommandMs, Promise.all(batch.map((dated) => apply(client, dated))));
      } catch (error) {
        for (const dated of batch) missed.add(dated);
        throw error;
      }
    }
  };

  link.onConnect(async (client) => {
    await within(redisCommandMs, ledger.prepare(client));
    await catchUp(client);
  });

  const send = async (dated: DatedChange): Promise<void> => {
    const isDone = await link.ask(async (client) => {
      await apply(client, dated);
      return true;
    });
    if (!isDone) missed.add(dated);
  };

  /** Sends a change, or keeps it until Redis is back. Resolves when either is done; no one has to wait for it. */
  const tell = async (change: Change, atMs = nowMs()): Promise<void> => {
    const sent = send({ change, atMs });
    sending.add(sent);
    await sent;
    sending.delete(sent);
  };

  const pause = async (key: string, ms: number): Promise<void> => {
    const others = waiting.get(key) ?? 0;
    if (others >= mostWaiting) throw tooBusy();
    waiting.set(key, others + 1);
    await sleep(ms);
    const left = (waiting.get(key) ?? 1) - 1;
    if (left > 0) waiting.set(key, left);
    else waiting.delete(key);
  };

  /** Whether Redis let the attempt in; `false` when it is away, and memory decides. Throws what it refuses. */
  const enterThere = async (entry: Entry): Promise<boolean> => {
    const untilMs = performance.now() + mostWaitMs;
    for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, 100)) {
      const answer = await link.ask(async (client) => ({ obstacle: await ledger.enter(client, entry) }));
      if (answer === null) return false;
      const { obstacle } = answer;
      if (obstacle === null) return true;
      if (obstacle.state === "full") throw tooMany(obstacle.budget, obstacle.waitMs);
      if (performance.now() > untilMs) throw tooBusy();
      await pause(obstacle.budget.key, pauseMs);
    }
  };

  /** Forgets what another process has forgiven since it failed here. */
  const heedForgiven = async (budgets: AttemptBudget[]): Promise<void> => {
    for (const budget of budgets.filter(memory.isFull)) {
      const agoMs = await link.ask((client) => ledger.forgivenAgoMs(client, budget.key));
      if (agoMs !== null) memory.clearUntil(budget, nowMs() - agoMs);
    }
  };

  /**
   * Enters there, where Redis is, and then here, where `inMemory` gets whether Redis decided, and the way to tell it the
   * outcome.
   */
  const enter = async <T>(entry: Entry, inMemory: (isDecided: boolean, settle: Settle) => Promise<T>) => {
    // A command that got no answer may have been carried out: then a success has to be told as well.
    const wasAsked = link.isUp;
    const settle: Settle = (hasFailed, atMs) => {
      const isUnknown = unknown.delete(entry.id) && !wasAsked;
      if (hasFailed || !isUnknown) void tell(stateOf(entry, hasFailed ? "failed" : "over"), atMs);
    };
    const isDecided = wasAsked && (await enterThere(entry));
    try {
      if (isDecided) await heedForgiven(entry.budgets);
      return await inMemory(isDecided, settle);
    } catch (error) {
      if (wasAsked) void tell(stateOf(entry, "over"));
      throw error;
    }
  };

  const enterAttempt = (budgets: AttemptBudget[]): Promise<Leave> => {
    const entry: Entry = { id: randomUUID(), budgets, as: "hold" };
    return enter(entry, async (isDecided, settle) => {
      const leave = await memory.enter(budgets);
      if (!isDecided) unknown.set(entry.id, entry);
      return (hasFailed) => {
        leave(hasFailed);
        settle(hasFailed);
      };
    });
  };

  return {
    run: runAttempt(enterAttempt),
    spend: (budgets) =>
      enter({ id: randomUUID(), budgets, as: "count" }, async (isDecided, settle) => {
        const atMs = nowMs();
        await memory.spend(budgets, atMs);
        if (!isDecided) settle(true, atMs);
      }),
    clear: async (keys) => {
      await memory.clear(keys);
      await tell({ kind: "clear", keys });
    },
    close: async () => void (await Promise.all(sending)),
  };
};

/** The same guard; `onRefusal` hears of each call that is one too many. */
export const countedAttempts = (guard: AttemptGuard, onRefusal: () => void): AttemptGuard => {
  // What the work itself throws is no refusal of the guard's, unless it is one of a guard within.
  const seen = (error: unknown): never => {
    if (error instanceof AppError && error.kind === "RATE_LIMITED") onRefusal();
    throw error;
  };
  return {
    run: (budgets, work, isFailure) => guard.run(budgets, work, isFailure).catch(seen),
    spend: (budgets) => guard.spend(budgets).catch(seen),
    clear: (keys) => guard.clear(keys),
  };
};

/** How long an attempt waits for the outcome of others. */
const mostWaitMs = 5_000;

/** How many changes are sent at the same time. */
const batchSize = 100;

const stateOf = ({ id, budgets }: Entry, state: "held" | "failed" | "over"): Change => ({
  kind: "attempt",
  id,
  budgets,
  state,
});

/** A change with the moment at which it happened, in milliseconds of `clock.uptimeMs()`. */
type DatedChange = { change: Change; atMs: number };

/** Changes that Redis has not heard of, in the order in which they happened. */
type MissedChanges = {
  add(missed: DatedChange): void;
  /** Takes up to `most` out, the oldest first. */
  take(most: number): DatedChange[];
};

// A failure costs a password hash, so that these are minutes of an attack; what is forgotten still counts in memory.
const mostMissed = 10_000;

/** A bounded list: when it is full, the oldest change is forgotten. */
const createMissedChanges = (): MissedChanges => {
  let list: DatedChange[] = [];
  return {
    add: (missed) => {
      list.push(missed);
      if (list.length > mostMissed) list.shift();
    },
    take: (most) => {
      // What was on its way when the line broke is added later than what was not sent at all.
      list.sort((one, other) => one.atMs - other.atMs);
      const taken = list.slice(0, most);
      list = list.slice(most);
      return taken;
    },
  };
};

/** `hold` takes places for an attempt under way, `count` counts a failure at once. */
type Entry = { id: string; budgets: AttemptBudget[]; as: "hold" | "count" };

/** Tells the outcome of an attempt, and when it was known: now, unless given. */
type Settle = (hasFailed: boolean, atMs?: number) => void;

/** What Redis is told afterwards: that an attempt is under way, how it ended, or which failures to forget. */
type Change =
  | { kind: "attempt"; id: string; budgets: AttemptBudget[]; state: "held" | "failed" | "over" }
  | { kind: "clear"; keys: string[] };

/** How long the places of an attempt stay taken when its process dies, in milliseconds. */
const holdMs = 30_000;

/** How long it stays known that failures were forgiven, in milliseconds: no sign-in is counted for longer. */
const forgivenMs = limits.signInWindowMs;

/** Counts of all processes that share a Redis server. */
type RedisLedger = {
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
const createRedisLedger = (secret: Uint8Array, clock: Clock): RedisLedger => {
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

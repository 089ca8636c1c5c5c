import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Clock } from "#api/core/clock.ts";
import type { AttemptBudget } from "#api/core/context.ts";
import { within } from "#api/core/timing.ts";
import { redisCommandMs } from "../redis/redis-line.ts";
import type { RedisLink } from "../redis/redis-link.ts";
import {
  type ClosableAttemptGuard,
  type Leave,
  mostWaiting,
  runAttempt,
  tooBusy,
  tooMany,
} from "./attempts.ts";
import { createMemoryAttemptGuard } from "./memory-attempt-guard.ts";
import { type Change, createRedisLedger, type Entry } from "./redis-ledger.ts";

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
  const tell = async (change: Change): Promise<void> => {
    const sent = send({ change, atMs: nowMs() });
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
  const enter = async <T>(entry: Entry, inMemory: (isDecided: boolean, settle: Leave) => Promise<T>) => {
    // A command that got no answer may have been carried out: then a success has to be told as well.
    const wasAsked = link.isUp;
    const settle: Leave = (hasFailed) => {
      const isUnknown = unknown.delete(entry.id) && !wasAsked;
      if (hasFailed || !isUnknown) void tell(stateOf(entry, hasFailed ? "failed" : "over"));
    };
    const isDecided = await enterThere(entry);
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
        await memory.spend(budgets);
        if (!isDecided) settle(true);
      }),
    clear: async (keys) => {
      await memory.clear(keys);
      await tell({ kind: "clear", keys });
    },
    close: async () => void (await Promise.all(sending)),
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

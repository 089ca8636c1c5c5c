import type { Redis } from "ioredis";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { RedisTarget } from "#api/core/settings.ts";
import { within } from "#api/core/timing.ts";
import type { ServiceState } from "#contract/settings.ts";
import type { Resolver } from "../outbound/check-address.ts";
import { dialRedis, redisServer } from "./dial-redis.ts";
import { explainRedisFailure, isRefusal } from "./redis-failure.ts";

/** A Redis server to use, and who said so. */
export type LinkTarget = RedisTarget & { source: "settings" | "environment" };

/**
 * The one connection of this process to Redis, which may be switched, lost and found again at any moment. It costs
 * no one more than `redisCommandMs`, whatever happens to Redis.
 */
export type RedisLink = {
  /** Whether commands are sent at all. */
  readonly isUp: boolean;
  /** Whether there is a server to be used, reachable or not. */
  readonly isConfigured: boolean;
  state(): ServiceState;
  /**
   * What `command` resolves to; `null` when Redis is away, refuses it or does not answer in time, in which case it may
   * have been done all the same. Never throws. A refusal ends the connection, see `unlessRefused`.
   */
  ask<T>(command: (client: Redis) => Promise<T>): Promise<T | null>;
  /** Runs `prepare` on each new connection before anyone may use it; when it throws, Redis counts as away. */
  onConnect(prepare: (client: Redis) => Promise<void>): void;
  /** Uses another server, or none, from now on. The former one serves until the new one is tried for the first time. */
  use(target: LinkTarget | null): void;
  /** Hears a channel, over reconnects and switches, until the returned function is called. */
  subscribe(channel: string, listener: ChannelListener): () => void;
  close(): Promise<void>;
};

type RedisLinkOptions = { clock: Clock; log: Log; resolver?: Resolver };

/** A link that is set up by no one yet; whoever has something to prepare says so before `use` is called. */
export const createRedisLink = ({ clock, log, resolver }: RedisLinkOptions): RedisLink => {
  const channels = createRedisChannels(log);
  const steps: ((client: Redis) => Promise<void>)[] = [channels.attach];
  let target: LinkTarget | null = null;
  let line: RedisLine | null = null;
  /** What serves while `line` has not been tried yet. */
  let former: RedisLine | null = null;

  const stateOf = (state: ServiceState["state"], reason: string | null = null): ServiceState => ({
    state,
    server: target === null ? null : redisServer(target.url),
    source: target?.source ?? null,
    since: clock.now().toISOString(),
    reason,
  });
  let current = stateOf("unused");

  const onChange = (reason: string | null): void => {
    former?.retire();
    former = null;
    const state = reason === null ? "up" : "away";
    current = current.state === state ? { ...current, reason } : stateOf(state, reason);
  };

  const prepare = async (client: Redis): Promise<void> => {
    for (const step of steps) await step(client);
  };

  const open = (next: LinkTarget): RedisLine => {
    const opened = openRedisLine({
      target: next,
      log,
      resolver,
      prepare,
      onChange: (reason) => {
        if (opened === line) onChange(reason);
      },
    });
    return opened;
  };

  const serving = (): RedisLine | null => former ?? line;

  return {
    get isUp() {
      return serving()?.isUp ?? false;
    },
    get isConfigured() {
      return target !== null;
    },
    state: () => current,
    ask: async (command) => (await serving()?.ask(command)) ?? null,
    onConnect: (step) => void steps.push(step),
    use: (next) => {
      if (target?.url === next?.url && target?.password === next?.password) {
        target = next;
        current = { ...current, source: next?.source ?? null };
        return;
      }
      // One that has never been tried was not used by anyone.
      if (former !== null) line?.retire();
      else former = line;
      target = next;
      line = next === null ? null : open(next);
      current = stateOf(next === null ? "unused" : "connecting");
      if (next !== null) return;
      former?.retire();
      former = null;
      log.info("Redis is no longer used");
    },
    subscribe: channels.add,
    close: async () => {
      former?.close();
      line?.close();
      former = null;
      line = null;
    },
  };
};

/** Hears what is published on a channel. */
export type ChannelListener = {
  onMessage(text: string): void;
  /** Called when messages begin to arrive, for the first time or again: some may have been missed before. */
  onBegin(): void;
};

/** Who hears which channel, whatever connection they are heard on. */
type RedisChannels = {
  add(channel: string, listener: ChannelListener): () => void;
  /** Hears all channels on a new connection, until it is closed. Throws when the connection is of no use. */
  attach(client: Redis): Promise<void>;
};

/**
 * Hears messages on the same connection that carries commands, which takes RESP3: Redis 6 or newer. On an older server,
 * or where the user may not, nothing is heard, and everything else continues.
 */
const createRedisChannels = (log: Log): RedisChannels => {
  const listeners = new Set<{ channel: string; listener: ChannelListener }>();
  let isRefusalSaid = false;

  const tell = (channel: string, text: string): void => {
    for (const each of listeners) if (each.channel === channel) each.listener.onMessage(text);
  };

  const hear = async (client: Redis): Promise<void> => {
    const channels = [...new Set([...listeners].map(({ channel }) => channel))];
    if (channels.length === 0 || client.condition?.protocol !== 3) return;
    try {
      await within(redisCommandMs, client.subscribe(...channels));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (!isRefusalSaid)
        log.warn("Redis carries no events: its user is not allowed to subscribe", {
          reason: explainRedisFailure(error),
        });
      isRefusalSaid = true;
      return;
    }
    for (const { listener } of listeners) listener.onBegin();
  };

  return {
    add: (channel, listener) => {
      const entry = { channel, listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    attach: async (client) => {
      client.on("message", tell);
      await hear(client);
    },
  };
};

type RedisLineOptions = {
  target: RedisTarget;
  log: Log;
  resolver?: Resolver | undefined;
  /** Runs on each new connection before anyone else may use it; when it throws, Redis counts as away. */
  prepare(client: Redis): Promise<void>;
  /** Called after each try to connect, and when a connection is lost; `reason` is `null` when it is up. */
  onChange(reason: string | null): void;
};

/** The connection to one server, which comes back whenever it can. */
type RedisLine = {
  readonly isUp: boolean;
  /** What `command` resolves to; `null` when Redis is away, refuses it or does not answer in time. */
  ask<T>(command: (client: Redis) => Promise<T>): Promise<T | null>;
  /** Takes no more commands, and hangs up when those under way have ended. */
  retire(): void;
  /** Hangs up at once. */
  close(): void;
};

/** How long a command may take, in milliseconds. */
export const redisCommandMs = 200;

// Both together are how long Redis can be back without being used.
const connectMs = 1_000;
const retryMs = 500;
// Each step bounds itself; this is for one that hangs all the same.
const prepareMs = 3_000;

/**
 * Connects, and continues trying whenever Redis is away. Any failure of a command ends the connection: it may be frozen,
 * read-only or full, and `prepare` finds out whether the next one is better. Says so once for each change.
 */
const openRedisLine = (options: RedisLineOptions): RedisLine => {
  const { target, log, resolver, prepare, onChange } = options;
  const server = redisServer(target.url);
  let current: Redis | null = null;
  let reported: "up" | "away" | null = null;
  let isClosed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const report = (error: unknown): void => {
    if (isClosed) return;
    const reason = error === null ? null : explainRedisFailure(error);
    const state = reason === null ? "up" : "away";
    if (reported !== state && reason === null) log.info("Redis is in use", { server });
    if (reported !== state && reason !== null)
      log.warn("Redis is unavailable; this process continues without it", { server, reason });
    reported = state;
    onChange(reason);
  };

  const retryLater = (error: unknown): void => {
    report(error);
    if (!isClosed) retry = setTimeout(() => void connect(), retryMs);
  };

  const lose = (client: Redis, error: unknown): void => {
    if (client !== current) return;
    current = null;
    client.disconnect();
    retryLater(error);
  };

  const use = (client: Redis): void => {
    if (isClosed || client.status !== "ready") throw new Error("connection closed");
    current = client;
    client.once("close", () => lose(client, new Error("connection closed")));
    report(null);
  };

  const connect = async (): Promise<void> => {
    let client: Redis | null = null;
    try {
      client = await dialRedis(target, { limitMs: connectMs, resolver });
      await within(prepareMs, prepare(client));
      use(client);
    } catch (error) {
      client?.disconnect();
      retryLater(error);
    }
  };

  const stop = (): Redis | null => {
    const client = current;
    isClosed = true;
    clearTimeout(retry);
    current = null;
    return client;
  };

  void connect();
  return {
    get isUp() {
      return current !== null;
    },
    ask: async (command) => {
      const client = current;
      if (client === null) return null;
      try {
        return await within(redisCommandMs, command(client));
      } catch (error) {
        lose(client, error);
        return null;
      }
    },
    retire: () => {
      const client = stop();
      // No one waits longer than that for an answer.
      setTimeout(() => client?.disconnect(), redisCommandMs).unref();
    },
    close: () => stop()?.disconnect(),
  };
};

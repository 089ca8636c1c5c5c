import type { Redis } from "ioredis";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { RedisTarget } from "#api/core/settings.ts";
import type { ServiceState } from "#contract/settings.ts";
import type { Resolver } from "../outbound/resolve-address.ts";
import { redisServer } from "./dial-redis.ts";
import { type ChannelListener, createRedisChannels } from "./redis-channels.ts";
import { openRedisLine, type RedisLine } from "./redis-line.ts";

/** A Redis server to use, and who said so. */
export type LinkTarget = RedisTarget & { source: "settings" | "environment" };

/**
 * The one connection of this process to Redis, which may be switched, lost and found again at any moment. It costs
 * nobody more than `redisCommandMs`, whatever happens to Redis.
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
  /** Runs `prepare` on each new connection before anybody may use it; when it throws, Redis counts as away. */
  onConnect(prepare: (client: Redis) => Promise<void>): void;
  /** Uses another server, or none, from now on. The former one serves until the new one is tried for the first time. */
  use(target: LinkTarget | null): void;
  /** Hears a channel, over reconnects and switches, until the returned function is called. */
  subscribe(channel: string, listener: ChannelListener): () => void;
  close(): Promise<void>;
};

export type RedisLinkOptions = { clock: Clock; log: Log; resolver?: Resolver };

/** A link that is set up by nobody yet; whoever has something to prepare says so before `use` is called. */
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
      // One that has never been tried was not used by anybody.
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

import type { Redis } from "ioredis";
import type { Log } from "#api/core/log.ts";
import { within } from "#api/core/within.ts";
import { explainRedisFailure, isRefusal } from "./redis-failure.ts";
import { redisCommandMs } from "./redis-line.ts";

/** Hears what is published on a channel. */
export type ChannelListener = {
  onMessage(text: string): void;
  /** Called when messages begin to arrive, for the first time or again: some may have been missed before. */
  onBegin(): void;
};

/** Who hears which channel, whatever connection they are heard on. */
export type RedisChannels = {
  add(channel: string, listener: ChannelListener): () => void;
  /** Hears all channels on a new connection, until it is closed. Throws when the connection is of no use. */
  attach(client: Redis): Promise<void>;
};

/**
 * Hears messages on the same connection that carries commands, which takes RESP3: Redis 6 or newer. On an older server,
 * or where the user may not, nothing is heard, and everything else goes on.
 */
export const createRedisChannels = (log: Log): RedisChannels => {
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
        log.warn("Redis carries no events: its user may not hear them", {
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

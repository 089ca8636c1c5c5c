import { unlessRefused } from "../redis/redis-failure.ts";
import type { RedisLink } from "../redis/redis-link.ts";

/** Carries messages as far as Redis is there, and promises nothing. */
export type RedisCarrier = {
  send(text: string): void;
  /** Resolves when what is on its way has been sent, and hears nothing more. */
  close(): Promise<void>;
};

export type RedisCarrierOptions = {
  link: RedisLink;
  onMessage(text: string): void;
  /** Messages begin to arrive; some may have been missed before. */
  onBegin(): void;
};

/**
 * Sends and hears over Redis. Whoever else may write there could send any number of messages: above a rate that no
 * installation reaches, the rest of a second is passed over, because what matters arrives over PostgreSQL too.
 */
export const createRedisCarrier = ({ link, onMessage, onBegin }: RedisCarrierOptions): RedisCarrier => {
  const sending = new Set<Promise<unknown>>();
  let second = 0;
  let heard = 0;
  const leave = link.subscribe(channel, {
    onMessage: (text) => {
      const now = Math.floor(performance.now() / 1_000);
      heard = now === second ? heard + 1 : 1;
      second = now;
      if (heard <= mostEachSecond) onMessage(text);
    },
    onBegin,
  });
  return {
    send: (text) => {
      if (!link.isUp) return;
      const sent = link.ask((client) => unlessRefused(client.publish(channel, text)));
      sending.add(sent);
      void sent.then(() => sending.delete(sent));
    },
    close: async () => {
      leave();
      await Promise.all(sending);
    },
  };
};

const channel = "atrium:events";
const mostEachSecond = 500;

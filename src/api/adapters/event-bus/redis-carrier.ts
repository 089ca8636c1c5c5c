import { unlessRefused } from "../redis/redis-failure.ts";
import type { RedisLink } from "../redis/redis-link.ts";
import { createIntake } from "./memory-event-bus.ts";

/** Carries messages as far as Redis is there, and promises nothing. */
export type RedisCarrier = {
  send(text: string): void;
  /** Resolves when what is on its way has been sent, and hears nothing more. */
  close(): Promise<void>;
};

export type RedisCarrierOptions = {
  link: RedisLink;
  onMessage(text: string): void;
  /** Some messages may have been missed: they begin to arrive, or were too many. */
  onMissed(): void;
};

/** Sends and hears over Redis, where whoever else may write there is heard as well: see {@link createIntake}. */
export const createRedisCarrier = ({ link, onMessage, onMissed }: RedisCarrierOptions): RedisCarrier => {
  const sending = new Set<Promise<unknown>>();
  const intake = createIntake({ onMessage, onOverflow: onMissed });
  const leave = link.subscribe(channel, { onMessage: intake.take, onBegin: onMissed });
  return {
    send: (text) => {
      if (!link.isUp) return;
      const sent = link.ask((client) => unlessRefused(client.publish(channel, text)));
      sending.add(sent);
      void sent.then(() => sending.delete(sent));
    },
    close: async () => {
      leave();
      intake.stop();
      await Promise.all(sending);
    },
  };
};

const channel = "atrium:events";

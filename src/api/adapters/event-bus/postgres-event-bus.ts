import { randomUUID } from "node:crypto";
import { describeError } from "#api/core/describe-error.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { createRecentMap } from "../attempt-guard/memory-attempt-guard.ts";
import { unlessRefused } from "../redis/redis-failure.ts";
import type { RedisLink } from "../redis/redis-link.ts";
import { createLineProof, type LineProofOptions } from "./line-proof.ts";
import {
  type ClosableEventBus,
  createIntake,
  createListeners,
  createMemoryEventBus,
  readMessage,
  writeMessage,
} from "./memory-event-bus.ts";

export type PostgresEventBusOptions = {
  handle: Pick<DatabaseHandle, "listen" | "notify">;
  log: Log;
  link: RedisLink;
  /** How patient it is with echoes: see {@link LineProofOptions}. */
  patience?: Pick<LineProofOptions, "overdueMs" | "retryMs">;
};

/**
 * The bus of replicas that share a PostgreSQL server, over LISTEN and NOTIFY, and over Redis besides where there is one:
 * sooner, and where a pooler lets no notification through. Resolves when it has tried to listen.
 *
 * `isConnected` is about NOTIFY alone. A replica keeps what it could not send there until it can, so that a listener
 * misses nothing while its own line works, and an echo shows that it does. No one can know the same of Redis: a publisher
 * may not reach it, or use another one. Who hears Redis alone hears most events, and must not rely on it. Why:
 * docs/decisions/0018-redis.md.
 */
export const createPostgresEventBus = async ({
  handle,
  log,
  link,
  patience,
}: PostgresEventBusOptions): Promise<ClosableEventBus> => {
  const origin = randomUUID();
  const listeners = createListeners(log);
  const unsent: string[] = [];
  /** Texts that were told already. The whole text counts: no one can make a message pass for another one. */
  const told = createRecentMap<true>(mostTold);
  const proven = Promise.withResolvers<void>();
  let sending: Promise<void> | null = null;
  let isClosed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const proof = createLineProof({
    ...patience,
    send: (text) => handle.notify(channel, text),
    onChange: (isProven) => {
      log[isProven ? "info" : "warn"](
        isProven ? "events from other replicas arrive" : "events from other replicas do not arrive",
      );
      if (!isProven) return;
      proven.resolve();
      listeners.tellGap();
    },
  });

  const sendAll = async (): Promise<void> => {
    try {
      for (let text = unsent[0]; text !== undefined; text = unsent[0]) {
        await proof.send(text);
        unsent.shift();
      }
    } catch (error) {
      // The change is committed, so the others must hear of it, however late.
      log.warn("an event could not be sent to other replicas yet", { error: describeError(error) });
      if (!isClosed) retry = setTimeout(send, retryMs);
    } finally {
      sending = null;
    }
  };
  const send = (): void => {
    sending ??= sendAll();
  };

  const receive = (text: string): void => {
    const message = readMessage(text);
    if (message === null || message.origin === origin || told.get(text)) return;
    told.set(text, true);
    listeners.tell(message.event);
  };

  const redis = createRedisCarrier({
    link,
    onMessage: receive,
    // While notifications arrive, nothing can have been missed.
    onMissed: () => {
      if (!proof.isProven) listeners.tellGap();
    },
  });
  const intake = createIntake({ onMessage: receive, onOverflow: listeners.tellGap });
  const unlisten = await handle.listen(
    channel,
    (text) => {
      if (!proof.hear(text)) intake.take(text);
    },
    proof.listen,
  );
  await Promise.race([proven.promise, Bun.sleep(mostStartMs)]);

  return {
    publish: (event) => {
      const text = writeMessage({ origin, id: randomUUID(), event });
      listeners.tell(event);
      redis.send(text);
      unsent.push(text);
      send();
    },
    subscribe: listeners.add,
    get isConnected() {
      return proof.isProven;
    },
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      await Promise.all([sending, redis.close()]);
      await unlisten();
      intake.stop();
      proof.stop();
    },
  };
};

const channel = "atrium_events";
const retryMs = 500;
const mostTold = 10_000;
// An echo takes a moment; a server that is away must not hold up the start.
const mostStartMs = 500;

/** Carries messages as far as Redis is there, and promises nothing. */
type RedisCarrier = {
  send(text: string): void;
  /** Resolves when what is on its way has been sent, and hears nothing more. */
  close(): Promise<void>;
};

type RedisCarrierOptions = {
  link: RedisLink;
  onMessage(text: string): void;
  /** Some messages may have been missed: they begin to arrive, or were too many. */
  onMissed(): void;
};

/** Sends and hears over Redis, where whoever else may write there is heard as well: see {@link createIntake}. */
const createRedisCarrier = ({ link, onMessage, onMissed }: RedisCarrierOptions): RedisCarrier => {
  const sending = new Set<Promise<unknown>>();
  const intake = createIntake({ onMessage, onOverflow: onMissed });
  const leave = link.subscribe(redisChannel, { onMessage: intake.take, onBegin: onMissed });
  return {
    send: (text) => {
      if (!link.isUp) return;
      const sent = link.ask((client) => unlessRefused(client.publish(redisChannel, text)));
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

const redisChannel = "atrium:events";

type EventBusOptions = { handle: DatabaseHandle; log: Log; link: RedisLink };

/** The bus that fits the database: replicas can only share a PostgreSQL server. */
export const createEventBus = async (options: EventBusOptions): Promise<ClosableEventBus> =>
  options.handle.kind === "postgres" ? createPostgresEventBus(options) : createMemoryEventBus(options.log);

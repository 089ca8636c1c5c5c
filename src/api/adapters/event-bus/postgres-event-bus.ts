import { randomUUID } from "node:crypto";
import { describeError } from "#api/core/describe-error.ts";
import type { AppEvent, EventBus, EventListeners } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { createRecentMap } from "../attempt-guard/memory-attempt-guard.ts";
import { unlessRefused } from "../redis/redis-failure.ts";
import type { RedisLink } from "../redis/redis-link.ts";

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

type ClosableEventBus = EventBus & {
  /** Stops listening to others. */
  close(): Promise<void>;
};

/** The bus of a process that has no replicas. */
export const createMemoryEventBus = (log: Log): ClosableEventBus => {
  const listeners = createListeners(log);
  return {
    publish: listeners.tell,
    subscribe: listeners.add,
    isConnected: true,
    close: async () => {},
  };
};

/** Those who subscribed in this process. */
type Listeners = {
  add: EventBus["subscribe"];
  tell(event: AppEvent): void;
  tellGap(): void;
};

/** Keeps listeners apart: what one throws is logged, and the others still hear the event. */
const createListeners = (log: Log): Listeners => {
  type Subscriber = { listeners: EventListeners; onGap: (() => void) | undefined };
  const all = new Set<Subscriber>();
  const each = (call: (subscriber: Subscriber) => void): void => {
    for (const subscriber of all) {
      try {
        call(subscriber);
      } catch (error) {
        log.error("a listener for events failed", { error: describeError(error) });
      }
    }
  };
  return {
    add: (listeners, onGap) => {
      const subscriber = { listeners, onGap };
      all.add(subscriber);
      return () => void all.delete(subscriber);
    },
    tell: (event) => each(({ listeners }) => listenerOf(listeners, event)?.(event)),
    tellGap: () => each(({ onGap }) => onGap?.()),
  };
};

/** The listener for an event's type takes just such events, which the compiler can't know. */
const listenerOf = (listeners: EventListeners, { type }: AppEvent) =>
  listeners[type] as ((event: AppEvent) => void) | undefined;

type IntakeOptions = {
  onMessage(text: string): void;
  /** Messages were passed over: what they said is not known. */
  onOverflow(): void;
  /** How many messages each span of time has room for. */
  most?: number;
  spanMs?: number;
};

/** The way in for messages of others. */
type Intake = { take(text: string): void; stop(): void };

/**
 * Takes messages at a rate that no installation reaches, because whoever else may write to the database or to Redis could
 * send any number of them; NOTIFY needs no right at all. What comes beyond is passed over unread, and at the end of the span
 * told of once, so that nothing which a real message among them said is missed for longer than that.
 */
const createIntake = ({ onMessage, onOverflow, most = 125, spanMs = 250 }: IntakeOptions): Intake => {
  let taken = 0;
  let span: ReturnType<typeof setTimeout> | undefined;
  const onEnd = (): void => {
    const isOverflown = taken > most;
    taken = 0;
    span = undefined;
    if (isOverflown) onOverflow();
  };
  return {
    take: (text) => {
      span ??= setTimeout(onEnd, spanMs);
      taken += 1;
      if (taken <= most) onMessage(text);
    },
    stop: () => clearTimeout(span),
  };
};

/** What one replica tells the others; `id` is that of the message, so that no two are the same text. */
type EventMessage = { origin: string; id: string; event: AppEvent };

/** A message as it travels: the same text on every carrier. */
export const writeMessage = (message: EventMessage): string => JSON.stringify(message);

/** The message behind a text; `null` for what this version does not know, such as events of a newer replica. */
export const readMessage = (text: string): { origin: unknown; event: AppEvent } | null => {
  if (text.length > mostLength) return null;
  try {
    const message: unknown = JSON.parse(text);
    const event: unknown = Reflect.get(Object(message), "event");
    return isAppEvent(event) ? { origin: Reflect.get(Object(message), "origin"), event } : null;
  } catch {
    return null;
  }
};

const isAppEvent = (value: unknown): value is AppEvent => {
  const read = (name: string): unknown => Reflect.get(Object(value), name);
  const type = read("type");
  if (type === "activity-recorded") return isCount(read("through"));
  if (type === "settings-changed" || type === "plugins-changed") return isCount(read("generation"));
  if (type === "token-changed") return isId(read("tokenId"));
  if (type === "plugin-signal") return isId(read("plugin")) && isId(read("topic"));
  return (type === "sessions-ended" || type === "user-changed") && isId(read("userId"));
};

const isId = (value: unknown): boolean => typeof value === "string" && value.length <= mostIdLength;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

// Three UUIDs and their names take some 180 characters. Texts are remembered, so that strangers' must be no longer.
const mostLength = 400;
const mostIdLength = 64;

type LineProofOptions = {
  /** Sends a text to everyone who listens, this process among them. */
  send(text: string): Promise<void>;
  /** Called whenever {@link LineProof.isProven} changes. */
  onChange(isProven: boolean): void;
  /** After how long an echo is overdue, and when the line is tried again. */
  overdueMs?: number | undefined;
  retryMs?: number | undefined;
};

/** What is known of a line: whether what this process sends comes back to it, as it must where everything is heard. */
type LineProof = {
  readonly isProven: boolean;
  /** The line is there, or gone: what came back on another one says nothing. */
  listen(isListening: boolean): void;
  /** Sends a text, whose echo is then awaited. Throws what sending throws. */
  send(text: string): Promise<void>;
  /** Whether a text that was heard is one of this process, which came back. */
  hear(text: string): boolean;
  stop(): void;
};

/**
 * Believes in a line once an echo has come back, and no longer when one is overdue. A pooler between here and PostgreSQL
 * takes LISTEN like any statement, and then lets no notification through: nothing but an echo tells.
 */
const createLineProof = ({
  send,
  onChange,
  overdueMs = 3_000,
  retryMs = 5_000,
}: LineProofOptions): LineProof => {
  const awaited = new Map<string, ReturnType<typeof setTimeout> | null>();
  let isListening = false;
  let isProven = false;
  let isStopped = false;
  let nextTry: ReturnType<typeof setTimeout> | undefined;

  const settle = (proven: boolean): void => {
    if (isProven === proven) return;
    isProven = proven;
    onChange(proven);
  };

  const forget = (text: string): void => {
    clearTimeout(awaited.get(text) ?? undefined);
    awaited.delete(text);
  };

  const forgetAll = (): void => {
    clearTimeout(nextTry);
    for (const text of [...awaited.keys()]) forget(text);
  };

  const doubt = (): void => {
    settle(false);
    clearTimeout(nextTry);
    if (isListening && !isStopped) nextTry = setTimeout(tryLine, retryMs);
  };

  const sendAwaited = async (text: string): Promise<void> => {
    // Before it is sent: the echo may be here sooner than the answer to the sending.
    awaited.set(text, null);
    try {
      await send(text);
    } catch (error) {
      forget(text);
      throw error;
    }
    if (!awaited.has(text)) return;
    const onOverdue = (): void => {
      awaited.delete(text);
      doubt();
    };
    if (isListening && !isStopped) awaited.set(text, setTimeout(onOverdue, overdueMs));
    else awaited.delete(text);
  };

  const tryLine = (): void => {
    // A message that holds no event is passed over by whoever else hears it.
    sendAwaited(JSON.stringify({ probe: randomUUID() })).catch(doubt);
  };

  return {
    get isProven() {
      return isProven;
    },
    listen: (nowListening) => {
      isListening = nowListening;
      forgetAll();
      settle(false);
      if (nowListening) tryLine();
    },
    send: sendAwaited,
    hear: (text) => {
      if (!awaited.has(text) || !isListening) return false;
      forget(text);
      settle(true);
      return true;
    },
    stop: () => {
      isStopped = true;
      forgetAll();
    },
  };
};

import { describeError } from "#api/core/describe-error.ts";
import type { AppEvent, EventBus } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";

export type ClosableEventBus = EventBus & {
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
export const createListeners = (log: Log): Listeners => {
  type Listener = { onEvent: (event: AppEvent) => void; onGap: (() => void) | undefined };
  const all = new Set<Listener>();
  const each = (call: (listener: Listener) => void): void => {
    for (const listener of all) {
      try {
        call(listener);
      } catch (error) {
        log.error("a listener for events failed", { error: describeError(error) });
      }
    }
  };
  return {
    add: (onEvent, onGap) => {
      const listener = { onEvent, onGap };
      all.add(listener);
      return () => void all.delete(listener);
    },
    tell: (event) => each(({ onEvent }) => onEvent(event)),
    tellGap: () => each(({ onGap }) => onGap?.()),
  };
};

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
export const createIntake = ({ onMessage, onOverflow, most = 125, spanMs = 250 }: IntakeOptions): Intake => {
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

import { randomUUID } from "node:crypto";
import { describeError } from "#api/core/describe-error.ts";
import type { AppEvent } from "#api/core/events.ts";
import type { Log } from "#api/core/log.ts";
import type { DatabaseHandle } from "#api/db/open-database.ts";
import { type ClosableEventBus, createListeners } from "./memory-event-bus.ts";

/**
 * The bus of replicas that share a PostgreSQL server, over LISTEN and NOTIFY. Resolves when it has tried to listen;
 * `isConnected` tells whether it does.
 */
export const createPostgresEventBus = async (
  handle: Pick<DatabaseHandle, "listen" | "notify">,
  log: Log,
): Promise<ClosableEventBus> => {
  const origin = randomUUID();
  const listeners = createListeners(log);
  const unsent: string[] = [];
  let isConnected = false;
  let sending: Promise<void> | null = null;
  let isClosed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const sendAll = async (): Promise<void> => {
    try {
      for (let payload = unsent[0]; payload !== undefined; payload = unsent[0]) {
        await handle.notify(channel, payload);
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

  const unlisten = await handle.listen(
    channel,
    (payload) => {
      const message = readMessage(payload);
      if (message && message.origin !== origin) listeners.tell(message.event);
    },
    (nowConnected) => {
      isConnected = nowConnected;
      log[nowConnected ? "info" : "warn"](
        nowConnected ? "events of other replicas arrive" : "events of other replicas do not arrive",
      );
      if (nowConnected) listeners.tellGap();
    },
  );

  return {
    publish: (event) => {
      listeners.tell(event);
      unsent.push(JSON.stringify({ origin, event }));
      send();
    },
    subscribe: listeners.add,
    get isConnected() {
      return isConnected;
    },
    close: async () => {
      isClosed = true;
      clearTimeout(retry);
      await sending;
      await unlisten();
    },
  };
};

const channel = "atrium_events";
const retryMs = 500;

/** The message behind a payload; `null` for what this version does not know, such as events of a newer replica. */
const readMessage = (payload: string): { origin: unknown; event: AppEvent } | null => {
  try {
    const message: unknown = JSON.parse(payload);
    const event: unknown = Reflect.get(Object(message), "event");
    return isAppEvent(event) ? { origin: Reflect.get(Object(message), "origin"), event } : null;
  } catch {
    return null;
  }
};

const isAppEvent = (value: unknown): value is AppEvent => {
  const read = (name: string): unknown => Reflect.get(Object(value), name);
  const type = read("type");
  if (type === "activity-recorded") return typeof read("through") === "number";
  return (type === "sessions-ended" || type === "user-changed") && typeof read("userId") === "string";
};

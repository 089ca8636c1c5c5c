import type { AppEvent } from "#api/core/events.ts";

/** What one replica tells the others; `id` is that of the message, so that no two are the same text. */
export type EventMessage = { origin: string; id: string; event: AppEvent };

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
  return (type === "sessions-ended" || type === "user-changed") && isId(read("userId"));
};

const isId = (value: unknown): boolean => typeof value === "string" && value.length <= mostIdLength;

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

// Three UUIDs and their names take some 180 characters. Texts are remembered, so that strangers' must be no longer.
const mostLength = 400;
const mostIdLength = 64;

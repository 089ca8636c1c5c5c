import { until } from "./until.ts";

/** One event of a stream, as a browser would understand it. */
type StreamEvent = { type: string; id: string; data: string };

/** A live stream that is being read. */
export type LiveStream = {
  /** Everything that came, as it came. */
  readonly text: string;
  /** The events that came, oldest first. */
  readonly events: StreamEvent[];
  /** What a browser would say as `Last-Event-ID`. */
  readonly lastId: string;
  /** Waits until the server has begun to send. */
  begun(): Promise<void>;
  /** Waits for so many activities; what they say was done. */
  actions(count: number): Promise<string[]>;
  /** Waits for an event of a type; its data. */
  next(type: string): Promise<unknown>;
  until(holds: (text: string) => boolean): Promise<boolean>;
  /** Waits until the server has ended it, by itself and not at its next beat. */
  ended(): Promise<void>;
  /** Goes away. */
  close(): Promise<void>;
};

/** Reads an answer of server-sent events as it comes. */
export const readStream = (response: Response): LiveStream => {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let isEnded = false;
  const read = async (): Promise<void> => {
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
      text += decoder.decode(piece.value, { stream: true });
  };
  const reading = read()
    // A line that is cut is an end as well.
    .catch(() => {})
    .then(() => {
      isEnded = true;
    });
  const blocks = () => text.split("\n\n").slice(0, -1).map(fieldsOf);
  const events = () => blocks().filter(({ data }) => data !== "");
  return {
    get text() {
      return text;
    },
    get events() {
      return events();
    },
    get lastId() {
      return blocks().findLast(({ id }) => id !== "")?.id ?? "";
    },
    begun: async () => {
      await until(() => text !== "");
    },
    actions: async (count) => {
      const activities = () => events().filter(({ type }) => type === "activity");
      await until(() => activities().length >= count);
      return activities().map(({ data }) => String(JSON.parse(data).action));
    },
    next: async (type) => {
      await until(() => events().some((event) => event.type === type));
      return JSON.parse(events().findLast((event) => event.type === type)?.data ?? "null");
    },
    until: async (holds) => {
      await until(() => holds(text));
      return true;
    },
    ended: async () => {
      await until(() => isEnded, promptMs);
    },
    close: async () => {
      await reader?.cancel();
      await reading;
    },
  };
};

// Below the beat of a stream, which brings to light what was missed.
const promptMs = 5_000;

const fieldsOf = (block: string): StreamEvent => {
  const field = (name: string) =>
    block
      .split("\n")
      .find((line) => line.startsWith(`${name}: `))
      ?.slice(name.length + 2) ?? "";
  return { type: field("event"), id: field("id"), data: field("data") };
};

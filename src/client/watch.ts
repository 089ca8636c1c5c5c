import { AtriumError } from "./atrium-error.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { acceptAnswer, rest, send } from "./send.ts";

/** An event with its data read. */
type WatchedEvent = { event: string; id: string; data: unknown };

/**
 * Events as they come. A line that breaks or falls silent is opened again behind the last event; what the server refuses
 * is thrown, and so is a first call that finds no server. Ends with the loop that reads it, or with the signal's reason.
 */
export const watch = async function* (
  client: ClientOptions,
  target: string,
  options: CallOptions = {},
): AsyncGenerator<WatchedEvent, void, undefined> {
  let reader: EventReader | null = null;
  let [failed, pauseMs] = [0, firstPauseMs];
  for (;;) {
    try {
      const lastId: string = reader?.lastId() ?? "";
      const headers = { accept: "text/event-stream", ...(lastId === "" ? {} : { "last-event-id": lastId }) };
      const response = await send(client, { method: "GET", target, headers }, acceptAnswer, options);
      // A new one, because the end of the last stream may have cut an event off.
      reader = createEventReader(lastId);
      for await (const text of textOf(response)) {
        failed = 0;
        for (const { type, id, data } of reader.read(text)) yield { event: type, id, data: JSON.parse(data) };
        pauseMs = Math.max(shortestPauseMs, reader.pauseMs() ?? pauseMs);
      }
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      if (reader === null || isFinal(error)) throw error;
    }
    await rest(Math.min(longestPauseMs, pauseMs * 2 ** failed), options.signal);
    failed += 1;
  }
};

// Until the server names another.
const firstPauseMs = 500;
// Whatever a server names: one that wants none would be asked without end.
const shortestPauseMs = 100;
const longestPauseMs = 15_000;
// A stream that has nothing to tell says so every 15 seconds.
const silenceMs = 45_000;

/** What is no passing trouble of a line or a server: to ask again would get the same answer, or the same endless line. */
const isFinal = (error: unknown): boolean =>
  error instanceof AtriumError &&
  ((error.status >= 400 && error.status < 500 && error.status !== 429) ||
    (error.status === 0 && error.code === "UNEXPECTED_ANSWER"));

/** The text of a body as it arrives. Throws when it breaks off or is silent for too long. */
const textOf = async function* ({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const source = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await within(silenceMs, source.read());
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    // Frees the connection; what it says of one that has broken was thrown already.
    await source.cancel().catch(() => {});
  }
};

const within = <Value>(ms: number, wanted: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the stream sent nothing for too long")), ms);
    wanted.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** One event of a stream of server-sent events. `id` is the last one that was given, `""` for none so far. */
type ServerEvent = { type: string; data: string; id: string };

/** Reads such a stream, however its text is cut. Source: WHATWG HTML §9.2.6. */
type EventReader = {
  /**
   * The events that are complete with this piece of text; one without data is none. Throws an {@link AtriumError} for an
   * event of more than 1 MB: it would fill the memory.
   */
  read(text: string): ServerEvent[];
  /** The place from which to resume, which comments carry too. */
  lastId(): string;
  /** Milliseconds that the server wants a reader to wait before it comes back; `null` where it said nothing. */
  pauseMs(): number | null;
};

/** A reader at the beginning of a stream that continues after `from`, `""` for none. An event that the stream's end cuts off is dropped. */
export const createEventReader = (from: string): EventReader => {
  const lines = createLines();
  let [id, lastId, type] = [from, from, ""];
  let data: string[] = [];
  let dataLength = 0;
  let pauseMs: number | null = null;

  const complete = (): ServerEvent[] => {
    lastId = id;
    const events = data.length > 0 ? [{ type: type || "message", data: data.join("\n"), id }] : [];
    [type, data, dataLength] = ["", [], 0];
    return events;
  };
  const take = (line: string): ServerEvent[] => {
    if (line === "") return complete();
    const [name, value] = fieldOf(line);
    if (name === "data") {
      data.push(value);
      dataLength += value.length;
      refuseTooLong(dataLength);
    }
    if (name === "event") type = value;
    if (name === "retry" && /^\d{1,9}$/.test(value)) pauseMs = Number(value);
    if (name === "id" && !value.includes("\0")) id = value;
    return [];
  };
  return {
    read: (text) => lines.read(text).flatMap(take),
    lastId: () => lastId,
    pauseMs: () => pauseMs,
  };
};

/** Cuts text into lines as it comes; what has no end yet is kept, and is not searched again. */
const createLines = () => {
  let kept: string[] = [];
  let keptLength = 0;
  let held = "";
  return {
    read: (piece: string): string[] => {
      const text = held + piece;
      // A carriage return at the end may be the first half of a line break.
      held = text.endsWith("\r") ? "\r" : "";
      const [first = "", ...more] = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
      kept.push(first);
      keptLength += first.length;
      const last = more.pop();
      const whole = last === undefined ? [] : [kept.join(""), ...more];
      if (last !== undefined) [kept, keptLength] = [[last], last.length];
      refuseTooLong(keptLength);
      return whole;
    },
  };
};

const refuseTooLong = (length: number): void => {
  if (length > longest)
    throw new AtriumError("The stream contains an event of more than 1 MB", { code: "UNEXPECTED_ANSWER" });
};

const longest = 1_000_000;

/** A line's field; a comment is a field without a name. */
const fieldOf = (line: string): [name: string, value: string] => {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
};

import { AtriumError } from "./atrium-error.ts";

/** One event of a stream of server-sent events. `id` is the last one that was given, `""` for none so far. */
export type ServerEvent = { type: string; data: string; id: string };

/** Reads such a stream, however its text is cut. Source: WHATWG HTML §9.2.6. */
export type EventReader = {
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

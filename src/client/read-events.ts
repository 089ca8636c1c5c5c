/** One event of a stream of server-sent events. `id` is the last one that was given, `""` for none so far. */
export type ServerEvent = { type: string; data: string; id: string };

/** Reads such a stream, however its text is cut. Source: WHATWG HTML §9.2.6. */
export type EventReader = {
  /** The events that are complete with this piece of text; one without data is none. */
  read(text: string): ServerEvent[];
  /** The place from which to resume, which comments carry too. */
  lastId(): string;
  /** Milliseconds that the server wants a reader to wait before it comes back; `null` where it said nothing. */
  pauseMs(): number | null;
};

/** A reader at the beginning of a stream that goes on behind `from`, `""` for none. An event that the stream's end cuts off is dropped. */
export const createEventReader = (from: string): EventReader => {
  let rest = "";
  let [id, lastId, type] = [from, from, ""];
  let data: string[] = [];
  let pauseMs: number | null = null;

  const complete = (): ServerEvent[] => {
    lastId = id;
    const events = data.length > 0 ? [{ type: type || "message", data: data.join("\n"), id }] : [];
    [type, data] = ["", []];
    return events;
  };
  const take = (line: string): ServerEvent[] => {
    if (line === "") return complete();
    const [name, value] = fieldOf(line);
    if (name === "data") data.push(value);
    if (name === "event") type = value;
    if (name === "retry" && /^\d{1,9}$/.test(value)) pauseMs = Number(value);
    if (name === "id" && !value.includes("\0")) id = value;
    return [];
  };
  return {
    read: (text) => {
      // A carriage return at the end may be the first half of a line break.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      return lines.flatMap(take);
    },
    lastId: () => lastId,
    pauseMs: () => pauseMs,
  };
};

/** A line's field; a comment is a field without a name. */
const fieldOf = (line: string): [name: string, value: string] => {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
};

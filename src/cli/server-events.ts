/** One event of a stream of server-sent events. `id` is the last one that was given, `""` for none so far. */
export type ServerEvent = { type: string; data: string; id: string };

/** Reads a stream of server-sent events, however its text is cut. Source: WHATWG HTML §9.2.6. */
export type EventReader = {
  /** The events that are complete with this piece of text; one without data is none. */
  read(text: string): ServerEvent[];
};

/** A reader at the beginning of a stream. An event that the stream's end cuts off is dropped. */
export const createEventReader = (): EventReader => {
  let rest = "";
  let id = "";
  let type = "";
  let data: string[] = [];

  const complete = (): ServerEvent[] => {
    const events = data.length > 0 ? [{ type: type || "message", data: data.join("\n"), id }] : [];
    [type, data] = ["", []];
    return events;
  };
  const take = (line: string): ServerEvent[] => {
    if (line === "") return complete();
    const { name, value } = fieldOf(line);
    if (name === "data") data.push(value);
    if (name === "event") type = value;
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
  };
};

/** A line's field; a comment is a field without a name. */
const fieldOf = (line: string): { name: string; value: string } => {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
};

/** The events of a body as they arrive. */
export const readEvents = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  const reader = createEventReader();
  for await (const chunk of body) yield* reader.read(decoder.decode(chunk, { stream: true }));
};

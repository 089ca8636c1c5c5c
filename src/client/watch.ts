import { AtriumError } from "./atrium-error.ts";
import { createEventReader, type EventReader } from "./event-reader.ts";
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

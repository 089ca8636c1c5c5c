import { CliFailure } from "#cli/failure.ts";
import { AtriumError } from "#client/atrium-error.ts";
import { createEventReader, type ServerEvent } from "#client/event-reader.ts";

export type { ServerEvent } from "#client/event-reader.ts";

/** The events of a body as they arrive. Throws `PAYLOAD_TOO_LARGE` for an event of more than 1 MB: it would fill the memory. */
export const readEvents = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  const reader = createEventReader("");
  const read = (text: string): ServerEvent[] => {
    try {
      return reader.read(text);
    } catch (error) {
      if (!(error instanceof AtriumError)) throw error;
      throw new CliFailure("PAYLOAD_TOO_LARGE", "the stream contains an event of more than 1 MB", {
        cause: error,
      });
    }
  };
  for await (const chunk of body) yield* read(decoder.decode(chunk, { stream: true }));
};

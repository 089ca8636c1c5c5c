/** A body that was read: all of it, or, where it is longer than was wanted, the same body again as a stream. */
export type ReadBody = { bytes: Uint8Array<ArrayBuffer> } | { rest: ReadableStream<Uint8Array> };

/** Reads at most `mostBytes` of a body. What comes in pieces over a long time is not waited for. */
export const readBody = async (
  body: ReadableStream<Uint8Array>,
  { mostBytes, waitMs }: { mostBytes: number; waitMs: number },
): Promise<ReadBody> => {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), waitMs);
  const readRest = (
    pending: ReturnType<typeof reader.read> | null,
  ): { rest: ReadableStream<Uint8Array> } => ({
    rest: streamOf(chunks, pending, reader),
  });
  try {
    while (length <= mostBytes) {
      const next = reader.read();
      const read = await Promise.race([next, late.promise]);
      if (read === "late") return readRest(next);
      if (read.done) return { bytes: joined(chunks, length) };
      chunks.push(read.value);
      length += read.value.byteLength;
    }
    return readRest(null);
  } finally {
    clearTimeout(timer);
  }
};

type Reader = ReadableStreamDefaultReader<Uint8Array>;

const streamOf = (
  chunks: readonly Uint8Array[],
  pending: ReturnType<Reader["read"]> | null,
  reader: Reader,
): ReadableStream<Uint8Array> => {
  let waiting = pending;
  return new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
    },
    pull: async (controller) => {
      const next = waiting ?? reader.read();
      waiting = null;
      const { done, value } = await next;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

const joined = (chunks: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
};

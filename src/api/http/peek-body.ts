import { AppError } from "#api/core/app-error.ts";
import type { ArrivalBounds } from "./arrived-bytes.ts";

/** The first bytes of a body, whether that is all of it, and a request that still has the whole body. */
export type PeekedBody = { bytes: Uint8Array; isWhole: boolean; request: Request };

/**
 * Looks at the first `mostBytes` of a request's body without taking it away. Rejects with `REQUEST_TIMEOUT` when they do
 * not arrive in time, and with `BAD_REQUEST` when the caller goes away before.
 */
export const peekBody = async (
  request: Request,
  { mostBytes, withinMs }: ArrivalBounds,
): Promise<PeekedBody> => {
  const reader = request.body?.getReader();
  if (reader === undefined) return { bytes: new Uint8Array(), isWhole: true, request };
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError("REQUEST_TIMEOUT")), withinMs);
  try {
    while (!isWhole && size <= mostBytes) {
      const chunk = await Promise.race([reader.read(), deadline]);
      if (chunk.done) isWhole = true;
      else {
        chunks.push(chunk.value);
        size += chunk.value.byteLength;
      }
    }
  } catch (cause) {
    void reader.cancel().catch(() => {});
    throw cause instanceof AppError ? cause : new AppError("BAD_REQUEST", undefined, { cause });
  } finally {
    clearTimeout(timer);
  }
  const bytes = Buffer.concat(chunks);
  const { url, method, headers, signal } = request;
  const body = isWhole ? bytes : resumed(bytes, reader);
  return {
    bytes: bytes.subarray(0, mostBytes),
    isWhole,
    request: new Request(url, { method, headers, signal, body }),
  };
};

/** What was read already, and then the rest as it comes. */
const resumed = (
  read: Uint8Array,
  rest: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => controller.enqueue(read),
    pull: async (controller) => {
      const chunk = await rest.read();
      if (chunk.done) controller.close();
      else controller.enqueue(chunk.value);
    },
    cancel: (reason) => rest.cancel(reason),
  });

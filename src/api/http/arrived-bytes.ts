import { AppError } from "#api/core/app-error.ts";

/** How large a body may be, and how long it may take to arrive. */
export type ArrivalBounds = { mostBytes: number; withinMs: number };

/**
 * The bytes of a request's body. An announced length is believed; a body without one is read up to the bound. Rejects
 * with `PAYLOAD_TOO_LARGE`, with `REQUEST_TIMEOUT` for a body that does not arrive in time, and with `BAD_REQUEST` when
 * the caller goes away before all of it is there.
 */
export const arrivedBytes = async (request: Request, bounds: ArrivalBounds): Promise<Uint8Array> => {
  const length = request.headers.get("content-length");
  const isBounded = length === null && request.body !== null;
  const arrival = isBounded ? readBounded(request.body, bounds.mostBytes) : request.bytes();
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError("REQUEST_TIMEOUT")), bounds.withinMs);
  try {
    return await Promise.race([arrival, deadline]);
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError("BAD_REQUEST", undefined, { cause });
  } finally {
    clearTimeout(timer);
  }
};

const readBounded = async (body: ReadableStream<Uint8Array>, mostBytes: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.byteLength;
    if (size > mostBytes) {
      await reader.cancel();
      throw new AppError("PAYLOAD_TOO_LARGE");
    }
    chunks.push(chunk.value);
  }
  return Buffer.concat(chunks);
};

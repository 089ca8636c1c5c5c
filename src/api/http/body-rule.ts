import { AppError } from "#api/core/app-error.ts";
import { limits } from "#contract/limits.ts";
import type { BodyCheck } from "./body-schema.ts";
import { readJson } from "./json-body.ts";

const jsonType = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;

/**
 * Reads the body of a call that wants one: JSON in UTF-8 of at most 1 MB; an announced length is believed, a body
 * without one is read up to the bound. `null` for calls that want none. Throws `UNSUPPORTED_MEDIA_TYPE`,
 * `PAYLOAD_TOO_LARGE`; rejects with `REQUEST_TIMEOUT` for a body that does not arrive in time, and with the complaints
 * of {@link readJson} and of the route.
 */
export const checkBody = (request: Request, check: BodyCheck | null): Promise<unknown> | null => {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > limits.jsonBodyBytes) throw new AppError("PAYLOAD_TOO_LARGE");
  if (check === null) return null;
  if (!jsonType.test(request.headers.get("content-type") ?? "")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  }
  const arrival = length === null && request.body !== null ? readBounded(request.body) : request.bytes();
  return inTime(arrival).then((bytes) => {
    const body = readJson(bytes);
    check(body);
    return body;
  });
};

const readBounded = async (body: ReadableStream<Uint8Array>): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.byteLength;
    if (size > limits.jsonBodyBytes) {
      await reader.cancel();
      throw new AppError("PAYLOAD_TOO_LARGE");
    }
    chunks.push(chunk.value);
  }
  return Buffer.concat(chunks);
};

/** The bytes, unless they take too long or the caller goes away before all of them are there. */
const inTime = async (arrival: Promise<Uint8Array>): Promise<Uint8Array> => {
  const { promise: deadline, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new AppError("REQUEST_TIMEOUT")), limits.bodyArrivalMs);
  try {
    return await Promise.race([arrival, deadline]);
  } catch (cause) {
    throw cause instanceof AppError ? cause : new AppError("BAD_REQUEST", undefined, { cause });
  } finally {
    clearTimeout(timer);
  }
};

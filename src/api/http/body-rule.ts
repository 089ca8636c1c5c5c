import { AppError } from "#api/core/app-error.ts";
import { limits } from "#contract/limits.ts";

const jsonType = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*$/i;

/**
 * Lets a body through when it is JSON in UTF-8 of at most 1 MB; an announced length is believed, a body without one
 * is read up to the bound. Resolves to the request to go on with. Throws `UNSUPPORTED_MEDIA_TYPE`, `PAYLOAD_TOO_LARGE`.
 */
export const checkBody = (request: Request, hasBody: boolean): Request | Promise<Request> => {
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > limits.jsonBodyBytes) throw new AppError("PAYLOAD_TOO_LARGE");
  if (hasBody && !jsonType.test(request.headers.get("content-type") ?? "")) {
    throw new AppError("UNSUPPORTED_MEDIA_TYPE");
  }
  if (length !== null || request.body === null) return request;
  return readBounded(request, request.body);
};

const readBounded = async (request: Request, body: ReadableStream<Uint8Array>): Promise<Request> => {
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
  return new Request(request.url, {
    method: request.method,
    headers: request.headers,
    body: Buffer.concat(chunks),
  });
};

import { AtriumError } from "./atrium-error.ts";
import { isRepeatable, rest, waitOf } from "./await-turn.ts";
import type { CallOptions, ClientOptions, IdempotentOptions } from "./options.ts";

/** A call as it goes out. `target` is path and query. */
export type Call = { method: string; target: string; body?: BodyInit | undefined; headers?: HeadersInit };

/**
 * Makes a call, again where that is allowed and makes sense, and hands its answer to `read`. The time that it may take
 * ends when `read` has resolved. Throws what `read` does, an {@link AtriumError} without an answer, and a signal's reason.
 */
export const send = async <Answer>(
  client: ClientOptions,
  call: Call,
  read: (response: Response) => Promise<Answer>,
  options: IdempotentOptions = {},
): Promise<Answer> => {
  const { retries = client.retries ?? 2 } = options;
  for (let tried = 0; ; tried += 1) {
    const headers = await headersOf(client, call, options);
    const end = deadlineOf(client, options);
    try {
      const response = await attempt(client, call, { headers, signal: end.signal });
      const waitMs = tried < retries && isRepeatable(call.method, headers) ? waitOf(response) : null;
      if (waitMs === null || waitMs > (client.longestWaitMs ?? longestWaitMs)) return await read(response);
      end.clear();
      await response.body?.cancel();
      await rest(waitMs, options.signal);
    } catch (error) {
      throw asFailure(error, { isLate: end.isLate(), signal: options.signal, url: client.url });
    } finally {
      end.clear();
    }
  }
};

const longestWaitMs = 30_000;
const defaultTimeoutMs = 60_000;

const attempt = (
  { url, token, fetch: made = fetch }: ClientOptions,
  { method, target, body }: Call,
  { headers, signal }: { headers: Headers; signal: AbortSignal },
): Promise<Response> =>
  made(addressOf(url, target), {
    method,
    headers,
    signal,
    // A call that is led elsewhere would take the token with it, or lose its body.
    redirect: "manual",
    credentials: token === undefined ? "same-origin" : "omit",
    ...(body === undefined ? {} : { body }),
  });

const headersOf = async (
  client: ClientOptions,
  call: Call,
  { headers, idempotencyKey }: IdempotentOptions,
): Promise<Headers> => {
  const all = new Headers({ accept: "application/json, */*;q=0.5", ...client.headers });
  for (const [name, value] of new Headers(call.headers)) all.set(name, value);
  for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value);
  const token = typeof client.token === "function" ? await client.token() : client.token;
  if (token !== undefined) all.set("authorization", `Bearer ${token}`);
  if (idempotencyKey !== undefined) all.set("idempotency-key", idempotencyKey);
  return all;
};

/** Ends a try when its time is up or its caller wants no more, who may want so while its body is still being read. */
const deadlineOf = (client: ClientOptions, options: CallOptions) => {
  const { timeoutMs = client.timeoutMs === undefined ? defaultTimeoutMs : client.timeoutMs, signal } =
    options;
  const late = new AbortController();
  const timer = timeoutMs === null ? undefined : setTimeout(() => late.abort(), timeoutMs);
  return {
    signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
    isLate: () => late.signal.aborted,
    clear: () => clearTimeout(timer),
  };
};

const asFailure = (
  error: unknown,
  { isLate, signal, url }: { isLate: boolean; signal: AbortSignal | undefined; url: string },
): unknown => {
  if (error instanceof AtriumError) return error;
  if (signal?.aborted) return signal.reason;
  if (isLate) return new AtriumError(`${url} did not answer in time`, { code: "TIMEOUT", cause: error });
  return new AtriumError(`${url} could not be reached`, { code: "UNREACHABLE", cause: error });
};

/** Where a call goes. Throws for a path that leads away from the client's own server: the token would go with it. */
const addressOf = (url: string, target: string): string => {
  // What follows the address's origin is left out: paths are the operations'.
  const { origin } = new URL(url);
  const address = URL.canParse(target, origin) ? new URL(target, origin) : null;
  if (address === null || address.origin !== origin)
    throw new AtriumError(`${target} is no path of ${origin}`, { code: "VALIDATION_FAILED" });
  return address.href;
};

import { AtriumError, type FieldComplaint } from "./atrium-error.ts";
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
  if (isLate) return new AtriumError(`${url} did not respond in time`, { code: "TIMEOUT", cause: error });
  return new AtriumError(`${url} could not be reached`, { code: "UNREACHABLE", cause: error });
};

/** Where a call goes. Throws for a path that leads away from the client's own server: the token would go with it. */
const addressOf = (url: string, target: string): string => {
  // What follows the address's origin is left out: paths are the operations'.
  const { origin } = new URL(url);
  const address = URL.canParse(target, origin) ? new URL(target, origin) : null;
  if (address === null || address.origin !== origin)
    throw new AtriumError(`${target} is not a path of ${origin}`, { code: "VALIDATION_FAILED" });
  return address.href;
};

/** Statuses with which the server says that it has done nothing and that a later try may work. */
const passing = new Set([429, 503]);

const repeatable = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** Whether a call may be made again: by its method, or because the server knows the key of one that it has taken. */
const isRepeatable = (method: string, headers: Headers): boolean =>
  repeatable.has(method) || headers.has("idempotency-key");

/** Milliseconds after which a refused call may be tried again; `null` for an answer that tells nothing of the kind. */
const waitOf = (response: Response): number | null => {
  const seconds = retryAfterOf(response);
  return passing.has(response.status) && seconds !== null ? seconds * 1000 : null;
};

/** The header's seconds, or those until its date. Source: RFC 9110 §10.2.3. */
const retryAfterOf = ({ headers }: Response): number | null => {
  const told = headers.get("retry-after")?.trim();
  if (!told) return null;
  if (/^\d{1,9}$/.test(told)) return Number(told);
  const at = Date.parse(told);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
};

/** Resolves after some time. Throws the signal's reason as soon as it is aborted. */
export const rest = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal?.aborted) return end();
    signal?.addEventListener("abort", end, { once: true });
  });

/** What an answer holds: the `data` of its envelope, or the whole where it has none. Throws what the server refused. */
export const readAnswer = async (response: Response): Promise<unknown> => {
  const body = await readJson(response);
  if (!response.ok || body === undefined) throw refusalOf(response, body);
  return isRecord(body) && body.success === true && "data" in body ? body.data : body;
};

/** The answer as it is, its body unread. Throws what the server refused. */
export const acceptAnswer = async (response: Response): Promise<Response> => {
  if (response.ok) return response;
  throw refusalOf(response, await readJson(response));
};

const readJson = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is no answer of Atrium: told by who asked.
    return undefined;
  }
};

const refusalOf = (response: Response, body: unknown): AtriumError => {
  const { status, headers } = response;
  const known = { status, requestId: headers.get("x-request-id"), retryAfterS: retryAfterOf(response) };
  if (!isRecord(body) || body.success !== false) {
    const place = headers.get("location");
    const why = place === null ? `status ${status}` : `status ${status}, redirected to ${place}`;
    return new AtriumError(`This is not a response from Atrium: ${why}`, {
      ...known,
      code: "UNEXPECTED_ANSWER",
    });
  }
  const { code, message, errors, data } = body;
  return new AtriumError(typeof message === "string" ? message : "The request failed", {
    ...known,
    code: typeof code === "string" ? code : "UNEXPECTED_ANSWER",
    errors: Array.isArray(errors) ? errors.filter(isComplaint) : [],
    data,
  });
};

const isComplaint = (value: unknown): value is FieldComplaint =>
  isRecord(value) && typeof value.path === "string" && typeof value.message === "string";

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

import { pageAuthTexts } from "#contract/auth-texts.ts";
import { timers } from "#contract/limits.ts";
import { ApiError, errorFromAnswer } from "./api-error.ts";
import { reportAnswer, reportNoAnswer } from "./connection.ts";
import { reportConfirmed, withProof } from "./proof.ts";

export { ApiError, isUnreachable } from "./api-error.ts";

/** What only some calls need: headers of their own, or more time than others. */
type CallOptions = { headers?: Record<string, string> | undefined; timeoutMs?: number };

const timeoutText = "The server took too long to answer. Please try again.";
const signedOutListeners = new Set<() => void>();

/** Calls `listener` whenever the server says that nobody is signed in; returns how to stop. */
export const onSignedOut = (listener: () => void): (() => void) => {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
};

/**
 * The server's API: each call resolves to the answer's body and throws {@link ApiError} for everything else.
 * A call without an answer after 15 s, unless it is given more, is given up (`TIMEOUT`); no connection at all is
 * `NETWORK`.
 */
export const api = {
  get: <T>(path: string): Promise<T> => send<T>("GET", path),
  post: <T>(path: string, body?: unknown, more?: CallOptions): Promise<T> =>
    send<T>("POST", path, body, more),
  put: <T>(path: string, body?: unknown): Promise<T> => send<T>("PUT", path, body),
  patch: <T>(path: string, body: unknown): Promise<T> => send<T>("PATCH", path, body),
  delete: <T>(path: string, body?: unknown, more?: Pick<CallOptions, "timeoutMs">): Promise<T> =>
    send<T>("DELETE", path, body, more),
};

/** Any call, by its method; as those of {@link api}. */
export const send = async <T>(
  method: string,
  path: string,
  body?: unknown,
  { headers, timeoutMs = timers.requestTimeoutMs }: CallOptions = {},
): Promise<T> => {
  const request = { method, ...payload(body, headers) };
  const answer = async () => {
    const { response, text } = await exchange(path, request, timeoutMs);
    const parsed = parse(text);
    if (response.ok) return asAnswer<T>(parsed);
    throw errorFromAnswer(response, parsed, pageAuthTexts.networkFailed);
  };
  try {
    return await (isOwnQuestion(path, body) ? answer() : withProof(answer));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && path !== "/api/auth/login")
      for (const listener of signedOutListeners) listener();
    throw error;
  }
};

const confirmPath = "/api/account/confirm";

/** Whether a call answers the question that is asked: it must not wait for the answer. */
const isOwnQuestion = (path: string, body: unknown) =>
  path === confirmPath && Reflect.get(Object(body), "password") !== undefined;

/** Waits until the reader has confirmed that it is them, if that is wanted: for what no call of a page's own can ask. */
export const proved = async (): Promise<void> => {
  await send("POST", confirmPath, {});
};

/** Confirms by the password that it is the reader; calls that wait for it go on. */
export const confirmWith = async (password: string): Promise<void> => {
  await send("POST", confirmPath, { password });
  reportConfirmed();
};

const exchange = async (path: string, request: RequestInit, timeoutMs: number) => {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(path, { ...request, signal, credentials: "same-origin" });
    const text = await response.text();
    // A gateway's own page instead of the server's answer, whose refusals are JSON.
    if (response.status >= 502 && response.status <= 504 && parse(text) === undefined) reportNoAnswer();
    else reportAnswer();
    return { response, text };
  } catch (cause) {
    reportNoAnswer();
    if (signal.aborted) throw new ApiError(timeoutText, { status: 0, code: "TIMEOUT", cause });
    throw new ApiError(pageAuthTexts.networkFailed, { status: 0, code: "NETWORK", cause });
  }
};

const payload = (body: unknown, more: Record<string, string> = {}): RequestInit => {
  const headers = { accept: "application/json", ...more };
  if (body === undefined) return { headers };
  return { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // An empty or foreign body: the status alone has to tell.
    return undefined;
  }
};

/** The caller names the shape; the server checks every answer against its published schema before sending it. */
const asAnswer = <T>(body: unknown): T => body as T;

import type { Client } from "#api/operations.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { createClient, type OperationId, type PlacedRequest, placeInput } from "#contract/create-client.ts";
import type { ErrorKind, FieldError } from "#contract/errors.ts";
import { timers } from "#contract/limits.ts";
import type { ProofWanted } from "#contract/proof.ts";
import { tryAgainIn } from "#contract/relative-time.ts";
import { reportAnswer, reportNoAnswer } from "./connection.ts";
import { presenceHeaders } from "./presence.ts";

/** What only some calls need: headers of their own, or more time than others. */
type CallOptions = { headers?: Record<string, string> | undefined; timeoutMs?: number };

const timeoutText = "The server took too long to answer. Please try again.";
const signedOutListeners = new Set<() => void>();
const enrolmentListeners = new Set<() => void>();

/** Calls `listener` whenever the server says that the reader has to set up a second factor first; returns how to stop. */
export const onEnrolmentRequired = (listener: () => void): (() => void) => {
  enrolmentListeners.add(listener);
  return () => enrolmentListeners.delete(listener);
};

/** Calls `listener` whenever the server says that no one is signed in; returns how to stop. */
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
};

/** Any call, by its method; as those of {@link api}. */
const send = async <T>(
  method: string,
  path: string,
  body?: unknown,
  { headers, timeoutMs = timers.requestTimeoutMs }: CallOptions = {},
): Promise<T> => {
  const answer = async () => {
    const request = { method, ...payload(body, { ...presenceHeaders(), ...headers }) };
    const { response, text } = await exchange(path, request, timeoutMs);
    const parsed = parsedJson(text);
    if (response.ok) return asAnswer<T>(parsed);
    throw errorFromAnswer(response, parsed, pageAuthTexts.networkFailed);
  };
  try {
    return await (isOwnQuestion(path, body) ? answer() : withProof(answer));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401 && !path.startsWith("/api/auth/login"))
      for (const listener of signedOutListeners) listener();
    if (error instanceof ApiError && error.code === "ENROLMENT_REQUIRED")
      for (const listener of enrolmentListeners) listener();
    throw error;
  }
};

const confirmPath = "/api/account/confirm";

/** Whether a call answers the question that is asked: it must not wait for the answer. */
const isOwnQuestion = (path: string, body: unknown) =>
  path.startsWith(`${confirmPath}/`) || (path === confirmPath && Object.keys(Object(body)).length > 0);

/** Waits until the reader has confirmed that it is them, if that is wanted: for what no call of a page's own can ask. */
export const proved = async (): Promise<void> => {
  await send("POST", confirmPath, {});
};

/** How the reader can confirm that it is them. */
type GivenProof = { password: string } | { code: string } | { ceremony: string; response: object };

/** Confirms by the password, a code or a passkey that it is the reader; requests that wait for it go on. */
export const confirmWith = async (proof: GivenProof): Promise<void> => {
  await send("POST", confirmPath, proof);
  reportConfirmed();
};

const exchange = async (path: string, request: RequestInit, timeoutMs: number) => {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(path, { ...request, signal, credentials: "same-origin" });
    const text = await response.text();
    // A gateway's own page instead of the server's answer, whose refusals are JSON.
    if (response.status >= 502 && response.status <= 504 && parsedJson(text) === undefined) reportNoAnswer();
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

/** What a text of JSON holds; `undefined` for any other. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // An empty or foreign body: the status alone has to tell.
    return undefined;
  }
};

/** The caller names the shape; the server checks every answer against its published schema before sending it. */
const asAnswer = <T>(body: unknown): T => body as T;

/** A failed call's code: the server's own, or what went wrong on the way to it. */
export type ApiErrorCode = ErrorKind | "NETWORK" | "TIMEOUT" | "UNKNOWN";

type Details = {
  status: number;
  code: ApiErrorCode;
  errors?: FieldError[];
  needsVerification?: boolean;
  data?: unknown;
  cause?: unknown;
};

/** A call that did not succeed. `status` is 0 when no answer came; `message` is fit to be shown. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly errors: FieldError[];
  readonly needsVerification: boolean;
  /** What the call found out nevertheless; of any shape, `undefined` for most. */
  readonly data: unknown;

  constructor(message: string, details: Details) {
    const { status, code, errors = [], needsVerification = false, data, cause } = details;
    super(message, { cause });
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.needsVerification = needsVerification;
    this.data = data;
  }
}

/** Whether no (usable) answer came: the network is down, the call timed out, or a gateway answered instead. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === "NETWORK" || error.code === "TIMEOUT");

/**
 * The error of an answer that is not a success; a body that is no error envelope leaves `fallback` as the message. Where
 * the limit on all calls refused, the message continues to say how long to wait.
 */
export const errorFromAnswer = (
  { status, headers }: Pick<Response, "status" | "headers">,
  body: unknown,
  fallback: string,
): ApiError => {
  const envelope = isRecord(body) ? body : {};
  const { code, message, errors, needsVerification, data } = envelope;
  const words = typeof message === "string" && message !== "" ? message : fallback;
  const waitS = status === 429 ? callLimitWaitS(headers) : null;
  return new ApiError(waitS === null ? words : waitText(words, waitS), {
    status,
    code: isErrorKind(code) ? code : "UNKNOWN",
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
    needsVerification: needsVerification === true,
    data,
  });
};

/** How long to wait, behind the words that were set for it; those that only say to try again give way. */
const waitText = (words: string, waitS: number): string => {
  const rest = words.replace(/[,.;]?\s*(?:please )?try again later\.?$/i, "");
  return rest === "" ? tryAgainIn(waitS) : `${asSentence(rest)} ${tryAgainIn(waitS)}`;
};

/**
 * How long the limit on all calls keeps the client out; `null` when another limit refused. What both headers tell is one
 * number only if it was that one, which tells on every call how far it is used up.
 */
const callLimitWaitS = (headers: Headers): number | null => {
  const seconds = /^"core";r=0;t=(\d{1,6})$/.exec(headers.get("ratelimit") ?? "")?.[1];
  return seconds !== undefined && seconds === headers.get("retry-after") ? Number(seconds) : null;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

// Not looked up: a code that is new to this page is a newer server's or a plugin's, whose words are as good, and nothing
// here asks for it. What stands for an answer that never came is no server's to say.
const isErrorKind = (value: unknown): value is ErrorKind =>
  typeof value === "string" && /^(?!(?:NETWORK|TIMEOUT|UNKNOWN)$)[A-Z][A-Z\d_]*$/.test(value);

const isFieldError = (value: unknown): value is FieldError =>
  isRecord(value) && typeof value.path === "string" && typeof value.message === "string";

/**
 * The sentence for a failed call: the server's own, or that the answer took too long; else `fallback` (also when the
 * answer held no message), and `offline` when there was no connection.
 */
export const failureText = (error: unknown, fallback: string, offline: string = fallback): string => {
  if (!(error instanceof ApiError) || error.code === "UNKNOWN") return fallback;
  return error.code === "NETWORK" ? offline : error.message;
};

/** A few words as a sentence: with a capital in front and a full stop behind, unless it ends with a mark already. */
export const asSentence = (words: string): string => {
  const capital = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(capital) ? capital : `${capital}.`;
};

/** Asks the reader to confirm that it is them; resolves to whether they did. */
type Ask = (wanted: ProofWanted) => Promise<boolean>;

let host: Ask | null = null;
let asked: Promise<boolean> | null = null;
let confirmed = 0;

/** Has `ask` put the question from now on; returns how to stop. */
export const askProofWith = (ask: Ask): (() => void) => {
  host = ask;
  return () => {
    host = null;
  };
};

/**
 * Makes a call, and makes it again once the reader has confirmed that it is them, where the server wants that. However many
 * calls want it, there is one question. Who cancels gets the server's refusal. A confirmation gives the session another token:
 * a call that came too late with the old one is made again, too.
 */
export const withProof = async <T>(call: () => Promise<T>): Promise<T> => {
  const before = confirmed;
  try {
    return await call();
  } catch (error) {
    if (isLate(error) && ((await asked) || confirmed > before)) return call();
    const wanted = proofWantedIn(error);
    if (wanted === null || host === null) throw error;
    asked ??= host(wanted).finally(() => {
      asked = null;
    });
    if (!(await asked)) throw canAnswer(wanted) ? notConfirmed(error) : error;
    // What the password has confirmed may want the second factor, too.
    return wanted.wanted === "recent" ? withProof(call) : call();
  }
};

// Without anything to ask for, the refusal itself says what to do.
const canAnswer = ({ ways }: ProofWanted): boolean =>
  ways.includes("password") || ways.includes("code") || ways.includes("passkey");

/** Tells that the session has another token. */
const reportConfirmed = (): void => {
  confirmed += 1;
};

/** The server's refusal, in words for someone who has just closed the question. */
const notConfirmed = (error: unknown): unknown =>
  error instanceof ApiError ? new ApiError(notConfirmedText, { ...error, cause: error }) : error;

/** Shown where the reader has closed the question. */
export const notConfirmedText = "Nothing was changed because you didn't confirm it's you.";

const isLate = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

const proofWantedIn = (error: unknown): ProofWanted | null =>
  error instanceof ApiError && error.code === "REAUTHENTICATION_REQUIRED" && isProofWanted(error.data)
    ? error.data
    : null;

const isProofWanted = (data: unknown): data is ProofWanted =>
  Array.isArray(Reflect.get(Object(data), "ways"));

/**
 * The server's operations with the types of their contracts: `(await client.contact.get({ id })).data`. Throws as `api` does.
 */
export const client: Client = createClient((id, input) => sendPlaced(placeInput(id, input)));

/** Sends a request that calls an operation. */
export const sendPlaced = ({ method, target, headers, body, mayTakeLong }: PlacedRequest) => {
  const timeoutMs = mayTakeLong ? timers.longRequestTimeoutMs : timers.requestTimeoutMs;
  return send(method, target, body, { headers, timeoutMs });
};

/** Where the browser gets the file that an operation answers. */
export const addressOf = (id: OperationId, input: object): string => placeInput(id, input).target;

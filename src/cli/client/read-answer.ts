import { CliFailure, type FailureKind } from "#cli/failure.ts";
import { errorStatus, errorTexts, type FieldError } from "#contract/errors.ts";
import type { ApiAnswer, ApiCallName } from "./api-calls.ts";

/** The data of an answer. Throws what the API refused, and `UNREACHABLE` for what is no answer of Atrium. */
export const readAnswer = async <Name extends ApiCallName>(
  response: Response,
  target: string,
): Promise<ApiAnswer<Name>> => {
  const body = await readEnvelope(response, target);
  return answerOf<Name>("data" in body ? body.data : body);
};

/** The body of an answer that says that it worked. Throws as {@link readAnswer}. */
export const readEnvelope = async (response: Response, target: string): Promise<object> => {
  const body = await readBody(response);
  if (body?.success !== true) throw refusalOf(body, { target, status: response.status });
  return body;
};

/** The body of an answer that is of the kind that was asked for. Throws what the API refused, and `UNREACHABLE`. */
export const bodyOf = async (
  response: Response,
  { target, isWanted }: { target: string; isWanted: (headers: Headers) => boolean },
): Promise<ReadableStream<Uint8Array>> => {
  if (response.ok && isWanted(response.headers) && response.body !== null) return response.body;
  throw refusalOf(await readBody(response), { target, status: response.status });
};

/** Whether an answer is a file to save. */
export const isFile = (headers: Headers): boolean =>
  headers.get("content-disposition")?.startsWith("attachment") === true;

/** Whether an answer is a stream of server-sent events. */
export const isEventStream = (headers: Headers): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

const readBody = async (response: Response): Promise<Record<string, unknown> | null> => {
  const body: unknown = await response.json().catch(() => null);
  return isRecord(body) ? body : null;
};

/** The server has checked the answer against the route's schema, from which its type is taken. */
const answerOf = <Name extends ApiCallName>(data: unknown): ApiAnswer<Name> => data as ApiAnswer<Name>;

/** What the API refused, or `UNREACHABLE` for what is no answer of Atrium. */
export const refusalOf = (
  body: Record<string, unknown> | null,
  { target, status }: { target: string; status: number },
): CliFailure => {
  if (body?.success !== false)
    return new CliFailure("UNREACHABLE", `${target} is not an Atrium server (status ${status})`);
  const { code, message, requestId, errors, data } = body;
  const kind = typeof code === "string" && isErrorKind(code) ? code : "INTERNAL";
  const said = typeof message === "string" ? message : errorTexts[kind];
  return new CliFailure(kind, said === errorTexts.NOT_SIGNED_IN ? `${said}: ${howToSignIn}` : said, {
    ...(isRequestId(requestId) ? { requestId } : {}),
    errors: Array.isArray(errors) ? errors.filter(isFieldError) : [],
    data,
  });
};

const howToSignIn =
  "provide an API token in ATRIUM_TOKEN or with --token-file; create one on the server with: atrium token create";

/** Whether a value can be an id that a log is searched for: visible ASCII, and not much of it. */
const isRequestId = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7E]{1,100}$/.test(value);

const isErrorKind = (code: string): code is keyof typeof errorStatus => Object.hasOwn(errorStatus, code);

const isFieldError = (value: unknown): value is FieldError =>
  isRecord(value) && typeof value.path === "string" && typeof value.message === "string";

/** Whether a value is an object with fields. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** What stands below these names, one within the other; `undefined` where nothing does. */
export const at = (value: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (part, name) => (isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    value,
  );

/** What any call may answer: JSON, or bytes as they come. */
export type AnyAnswer = PluginAnswer | { bytes: AsyncIterable<Uint8Array>; isText: boolean };

/** The methods that calls of the API have. */
export const apiMethods: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** How much JSON is held in memory; what is larger comes as a file or piece by piece. */
const mostBytes = 100_000_000;

/** The answer of any call. Throws what was refused, and `UNREACHABLE` for what is no answer of Atrium, or breaks off. */
export const readAnyAnswer = async (
  response: Response,
  { target, patience }: { target: string; patience: Patience },
): Promise<AnyAnswer> => {
  const type = response.headers.get("content-type") ?? "";
  const isJson = /^application\/json\b/.test(type);
  if (response.body === null) return pluginAnswerOf("", { response, target });
  const bytes = answerBytes(response.body, { patience, what: `the response from ${target}` });
  if (!response.ok || isJson) return pluginAnswerOf(await textOf(bytes, target), { response, target });
  return { bytes, isText: /^text\/|^application\/x-ndjson/.test(type) };
};

/** All of a text that comes in pieces. Throws `UNREACHABLE` for more than 100 MB. */
const textOf = async (bytes: AsyncIterable<Uint8Array>, target: string): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > mostBytes)
      throw new CliFailure("UNREACHABLE", `the response from ${target} has more than 100 MB of JSON`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
};

/** What a plugin answered: the `data` of an envelope, or the answer itself; and all of it. */
export type PluginAnswer = { data: unknown; whole: unknown };

/**
 * The answer of a plugin's route, which is JSON with or without the API's envelope, or a text. Throws what was refused, and
 * `UNREACHABLE` for what is no answer of Atrium.
 */
export const readPluginAnswer = async (response: Response, target: string): Promise<PluginAnswer> =>
  pluginAnswerOf(await response.text(), { response, target });

/** The same for an answer whose body, `text`, has been read. */
const pluginAnswerOf = (
  text: string,
  { response, target }: { response: Response; target: string },
): PluginAnswer => {
  const isText = response.headers.get("content-type")?.startsWith("text/plain") === true;
  const body = isText ? text : parsed(text, { target, status: response.status });
  if (!response.ok) throw refusal(body, { target, status: response.status });
  const hasData = isRecord(body) && body.success === true && "data" in body;
  return { data: hasData ? body.data : body, whole: body };
};

const parsed = (text: string, { target, status }: { target: string; status: number }): unknown => {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = `${target} is not an Atrium server (status ${status})`;
    throw new CliFailure("UNREACHABLE", message, { cause });
  }
};

// Plugins need not know the API's codes: their statuses say as much.
const kindByStatus: Partial<Record<number, FailureKind>> = {
  401: "NOT_SIGNED_IN",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  422: "VALIDATION_FAILED",
  503: "PLUGIN_UNAVAILABLE",
};

const refusal = (body: unknown, { target, status }: { target: string; status: number }): CliFailure => {
  const fields = isRecord(body) ? body : {};
  const answer = { message: errorTexts.PLUGIN_ERROR, ...fields, success: false };
  const failure = refusalOf(answer, { target, status });
  if (failure.kind === fields.code) return failure;
  const { message, requestId, errors, data } = failure;
  return new CliFailure(kindByStatus[status] ?? "PLUGIN_ERROR", message, {
    ...(requestId === undefined ? {} : { requestId }),
    ...{ errors, data },
  });
};

/** How long an answer may be silent; the time that its reader takes does not count. */
type Patience = {
  /** Ends the call when nothing has come for too long, or when the caller ends it. */
  signal: AbortSignal;
  /** Waits for something with this patience. Throws `UNREACHABLE` when it is over, or the reason of the caller's signal. */
  wait<T>(something: Promise<T>): Promise<T>;
};

/** The patience for one answer of `target` that comes in pieces; `ended` is the caller's signal, if there is one. */
export const createPatience = ({
  silenceMs,
  target,
  ended,
}: {
  silenceMs: number;
  target: string;
  ended: AbortSignal | undefined;
}): Patience => {
  const silence = new AbortController();
  const signal = ended ? AbortSignal.any([ended, silence.signal]) : silence.signal;
  const giveUp = () =>
    silence.abort(new CliFailure("UNREACHABLE", `${target} sent nothing for ${silenceMs / 1000} seconds`));
  return {
    signal,
    wait: async (something) => {
      const over = Promise.withResolvers<never>();
      const end = () => over.reject(signal.reason);
      const timer = setTimeout(giveUp, silenceMs);
      signal.addEventListener("abort", end);
      if (signal.aborted) end();
      try {
        // An app in this process hears of no signal.
        return await Promise.race([something, over.promise]);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
      }
    },
  };
};

/** The bytes of an answer as they arrive. Throws `UNREACHABLE` with the name `what` when they break off. */
export const answerBytes = async function* (
  body: ReadableStream<Uint8Array>,
  { patience, what }: { patience: Patience; what: string },
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await patience.wait(reader.read());
      if (done) return;
      yield value;
    }
  } catch (error) {
    if (error instanceof CliFailure) throw error;
    throw new CliFailure("UNREACHABLE", `${what} was interrupted`, { cause: error });
  } finally {
    // Who leaves early wants nothing more, and an app in this process ends its query before it is closed. A body that
    // broke cannot be told.
    await reader.cancel().catch(() => {});
  }
};

/** Does work for the input of an operation, and a failure for want of a plugin says which one is not there. */
export const namingPlugin = async <T>(input: object, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const name: unknown = Reflect.get(input, "name");
    if (typeof name !== "string" || !(error instanceof CliFailure)) throw error;
    if (error.message !== errorTexts.PLUGIN_NOT_FOUND) throw error;
    const { kind, requestId } = error;
    const known = requestId === undefined ? {} : { requestId };
    throw new CliFailure(kind, absentText(name), { ...known, cause: error });
  }
};

/** What is said of a plugin that is not there. */
export const absentText = (name: string): string =>
  `the plugin ${name} is not installed; install it on the page /admin/plugins or with: atrium plugin install FILE`;

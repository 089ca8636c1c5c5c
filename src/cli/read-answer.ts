import type { FieldError } from "#contract/errors.ts";
import { errorStatus, errorTexts } from "#contract/errors.ts";
import type { ApiAnswer, ApiCallName } from "./api-calls.ts";
import { CliFailure } from "./failure.ts";

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
    return new CliFailure("UNREACHABLE", `${target} does not answer like Atrium (status ${status})`);
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
  "name an API token in ATRIUM_TOKEN or by --token-file; `atrium token create` makes one on the server";

/** Whether a value can be an id that a log is searched for: visible ASCII, and not much of it. */
const isRequestId = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7E]{1,100}$/.test(value);

const isErrorKind = (code: string): code is keyof typeof errorStatus => Object.hasOwn(errorStatus, code);

const isFieldError = (value: unknown): value is FieldError =>
  isRecord(value) && typeof value.path === "string" && typeof value.message === "string";

/** Whether a value is an object with fields. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

import { AtriumError, type FieldComplaint } from "./atrium-error.ts";
import { retryAfterOf } from "./await-turn.ts";

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
    const why = place === null ? `status ${status}` : `status ${status}, sent on to ${place}`;
    return new AtriumError(`This is no answer of Atrium: ${why}`, { ...known, code: "UNEXPECTED_ANSWER" });
  }
  const { code, message, errors, data } = body;
  return new AtriumError(typeof message === "string" ? message : "The call failed", {
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

import { errorTexts } from "#contract/errors.ts";
import { CliFailure, type FailureKind } from "./failure.ts";
import { isRecord, refusalOf } from "./read-answer.ts";

/** What a plugin answered: the `data` of an envelope, or the answer itself; and all of it. */
export type PluginAnswer = { data: unknown; whole: unknown };

/**
 * The answer of a plugin's route, which is JSON with or without the API's envelope, or a text. Throws what was refused, and
 * `UNREACHABLE` for what is no answer of Atrium.
 */
export const readPluginAnswer = async (response: Response, target: string): Promise<PluginAnswer> =>
  pluginAnswerOf(await response.text(), { response, target });

/** The same for an answer whose body, `text`, has been read. */
export const pluginAnswerOf = (
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
    const message = `${target} does not answer like Atrium (status ${status})`;
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

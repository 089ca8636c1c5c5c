import { answerBytes, type Patience } from "./answer-bytes.ts";
import { type PluginAnswer, readPluginAnswer } from "./read-plugin-answer.ts";

/** What any call may answer: JSON, or bytes as they come. */
export type AnyAnswer = PluginAnswer | { bytes: AsyncIterable<Uint8Array>; isText: boolean };

/** The methods that calls of the API have. */
export const apiMethods: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The answer of any call. Throws what was refused, and `UNREACHABLE` for what is no answer of Atrium, or breaks off. */
export const readAnyAnswer = async (
  response: Response,
  { target, patience }: { target: string; patience: Patience },
): Promise<AnyAnswer> => {
  const type = response.headers.get("content-type") ?? "";
  const isJson = /^application\/json\b/.test(type) || response.body === null;
  if (!response.ok || isJson || response.body === null) return readPluginAnswer(response, target);
  const bytes = answerBytes(response.body, { patience, what: `the answer of ${target}` });
  return { bytes, isText: /^text\/|^application\/x-ndjson/.test(type) };
};

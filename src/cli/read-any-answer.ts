import { answerBytes, type Patience } from "./answer-bytes.ts";
import { CliFailure } from "./failure.ts";
import { type PluginAnswer, pluginAnswerOf } from "./read-plugin-answer.ts";

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
  const bytes = answerBytes(response.body, { patience, what: `the answer of ${target}` });
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
      throw new CliFailure("UNREACHABLE", `the answer of ${target} has more than 100 MB of JSON`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
};

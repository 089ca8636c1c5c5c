import { limits } from "#contract/limits.ts";
import type { DescribedDocument, DescribedParameter, DescribedSchema } from "./described.ts";
import { mapValues } from "./map-values.ts";

/** What parameters mean that many calls have, or that their route says nothing of. */
const meanings: { readonly [name: string]: string } = {
  limit: "How many rows at most",
  offset: "How many rows to skip, from the first that matches",
  days: "How many whole days",
  security: "`true`: security events alone; `false`: all others; empty: both",
  format: "`csv` (RFC 4180), or one JSON object a line",
  role: "Only people of this role",
  status: "Only those of this status",
  subject: "Only messages with this subject",
  sort: "What to sort by",
  order: "Upwards or downwards",
  place: "Where the backup lies",
  name: "Name of the plugin or of the file",
  sha: "What the address of the files of this version holds, so that caches may keep them for ever",
  file: "Name of the script",
  after: "Only what comes behind the one with this number",
  retainData: "`true` keeps settings, secrets, values, files and grants",
  force: "`true` first disables what needs it",
  allowDowngrade: "`true` takes an older version, and the same one again",
  provider: "`google` or `github`",
};

/** The document with a meaning and a limit for each parameter that has none: no address may be longer than that. */
export const withParameterWords = <Document extends DescribedDocument>(document: Document): Document => ({
  ...document,
  paths: mapValues(document.paths, (item) =>
    mapValues(item, (operation) =>
      operation.parameters === undefined
        ? operation
        : { ...operation, parameters: operation.parameters.map(completed) },
    ),
  ),
});

const completed = (parameter: DescribedParameter): DescribedParameter => {
  const { name, schema = {}, description = schema.description ?? meanings[name] } = parameter;
  return {
    ...parameter,
    ...(description === undefined ? {} : { description }),
    schema: isOpenText(schema) ? { ...schema, maxLength: limits.urlBytes } : schema,
  };
};

const isOpenText = ({ type, maxLength, pattern, enum: words, format }: DescribedSchema): boolean =>
  type === "string" && [maxLength, pattern, words, format].every((bound) => bound === undefined);

import { limits } from "#contract/limits.ts";
import { type DescribedContent, type DescribedDocument, mapValues } from "./described.ts";
import { withExamples } from "./example-of.ts";
import { withParameterWords } from "./paths.ts";

/**
 * The document with what routes leave unsaid: meanings and limits of parameters, sizes of bodies, schemas of texts, and
 * examples of what is sent and answered.
 */
export const completeDocument = <Document extends DescribedDocument>(document: Document): Document =>
  withExamples(withTextAnswers(withBodySizes(withParameterWords(document))));

/** The document with the size that each body may have, in words: JSON Schema has none for it. */
const withBodySizes = <Document extends DescribedDocument>(document: Document): Document => ({
  ...document,
  paths: mapValues(document.paths, (item) =>
    mapValues(item, (operation) =>
      operation.requestBody === undefined
        ? operation
        : { ...operation, requestBody: withSize(operation.requestBody) },
    ),
  ),
});

const withSize = (body: DescribedContent): DescribedContent => {
  if (body.$ref !== undefined || body.description !== undefined) return body;
  const isForm = body.content?.["multipart/form-data"] !== undefined;
  return { ...body, description: isForm ? formSize : jsonSize };
};

const jsonSize = `JSON in UTF-8, at most ${limits.jsonBodyBytes / 1_000_000} MB`;
const formSize = `A form with exactly one file, a zip of at most ${limits.uploadBytes / 1_000_000} MB`;

/** The document with a schema for each answer that is text, and each form of one that can be had in several. */
const withTextAnswers = <Document extends DescribedDocument>(document: Document): Document => ({
  ...document,
  paths: mapValues(document.paths, (item) =>
    mapValues(item, (operation) =>
      operation.responses === undefined
        ? operation
        : { ...operation, responses: mapValues(operation.responses, withText) },
    ),
  ),
});

const withText = (response: DescribedContent): DescribedContent => {
  const { content } = response;
  if (content === undefined || !Object.keys(content).some(isText)) return response;
  const table = content["text/csv"];
  // Tables are the one form of an export, lines of JSON the other: see `format`. Plugins describe theirs whole.
  const isExport = table !== undefined && table.schema === undefined;
  const all = isExport ? { ...content, "application/x-ndjson": {} } : content;
  return {
    ...response,
    content: mapValues(all, (media, type) =>
      isText(type) && media.schema === undefined ? { ...media, schema: { type: "string" } } : media,
    ),
  };
};

const isText = (type: string): boolean => type.startsWith("text/") || type === "application/x-ndjson";

/** A group of calls. Source: OpenAPI 3.1 §4.8.22. */
type DocumentTag = { name: string; description: string };

/** The groups of the application's own calls, in the order of the page. */
export const documentTags: readonly DocumentTag[] = [
  {
    name: "Accounts",
    description: "Creating an account, signing in and out, emailed links and sign-in with other providers",
  },
  { name: "Own account", description: "What users see and change about themselves" },
  { name: "Contact", description: "The contact form and its messages" },
  { name: "Admin", description: "The overview of the admin area" },
  { name: "Users", description: "All accounts, and pending registrations" },
  { name: "Plugins", description: "Packages, permissions, settings and keys of plugins, and their files" },
  { name: "Activity", description: "The log of what happened and who did it" },
  {
    name: "Settings",
    description: "Settings of the server, connections to external services, and their tests",
  },
  { name: "Mail", description: "Emails that were sent, are waiting, or could not be delivered" },
  { name: "Backups", description: "Backups on demand and on a schedule" },
  { name: "API tokens", description: "Keys for programs: what each can do, from where and until when" },
  {
    name: "System",
    description:
      "Health, readiness, metrics, the endpoint for assistants, and what the operator of the machine does",
  },
];

/** The groups of calls that plugins, or own features, add: those of `paths` that are not the application's. */
export const addedTags = (
  by: "plugin" | "feature",
  paths: Record<string, Record<string, object>>,
): DocumentTag[] => {
  const names = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => asStrings(Reflect.get(operation, "tags"))),
  );
  return [...new Set(names)]
    .filter((name) => documentTags.every((tag) => tag.name !== name))
    .map((name) => ({ name, description: `What the ${by} ${name} adds` }));
};

const asStrings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

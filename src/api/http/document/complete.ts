import { type ErrorKind, errorStatus, errorTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { exampleValues } from "./example-values.ts";
import {
  type DescribedContent,
  type DescribedDocument,
  type DescribedSchema,
  mapValues,
  withParameterWords,
} from "./paths.ts";

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

/** What a schema is looked up with: where references lead, and whether a value fits a schema. */
type ExampleWorld = {
  resolve(schema: DescribedSchema): DescribedSchema;
};

/**
 * A value that fits the schema and looks as a real one might: each field has the checked-in value of its name where that
 * is of its kind, and else one that its schema allows. `names` are the fields on the way to it, the nearest last.
 */
export const exampleOf = (
  schema: DescribedSchema,
  world: ExampleWorld,
  names: readonly string[] = [],
): unknown => {
  const found = world.resolve(schema);
  const { properties, anyOf } = found;
  if ("const" in found) return found.const;
  const known = knownValue(names, found, world);
  if (known !== undefined) return known.value;
  if (found.enum) return found.enum.find((value) => value !== "") ?? "";
  if (anyOf) return exampleOf(anyOf.find((form) => !isNull(form)) ?? {}, world, names);
  const type = typeOf(found);
  if (type === "array") return found.items ? [exampleOf(found.items, world, names)] : [];
  if (type === "object") return objectOf(properties ?? {}, world, names);
  return scalarOf(found, type);
};

const objectOf = (
  properties: Record<string, DescribedSchema>,
  world: ExampleWorld,
  names: readonly string[],
): object =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema, world, [...names, name])]),
  );

/** The checked-in value for a field, unless its schema is for something else of the same name. */
const knownValue = (
  names: readonly string[],
  schema: DescribedSchema,
  world: ExampleWorld,
): { value: unknown } | undefined => {
  const [own = "", ...owners] = names.toReversed();
  const keys = [
    ...owners
      .filter((owner) => owner !== "data")
      .slice(0, 1)
      .map((owner) => `${owner}.${own}`),
    own,
  ];
  const key = keys.find(
    (each) => Object.hasOwn(exampleValues, each) && isOf(schema, exampleValues[each], world),
  );
  return key === undefined ? undefined : { value: exampleValues[key] };
};

/** Whether a value is of a schema's kind, as far as that decides which values may stand in an example. */
const isOf = (schema: DescribedSchema, value: unknown, world: ExampleWorld): boolean => {
  const found = world.resolve(schema);
  const { type, format, pattern, minimum, maximum, anyOf, items, properties, required = [] } = found;
  if (anyOf) return anyOf.some((form) => isOf(form, value, world));
  if (found.enum) return found.enum.includes(value);
  if ("const" in found) return found.const === value;
  if (type !== undefined && ![type].flat().includes(kindOf(value, type))) return false;
  if (typeof value === "number") return value >= (minimum ?? value) && value <= (maximum ?? value);
  if (typeof value === "string")
    return (
      dated.has(format ?? "") === false && (pattern === undefined || new RegExp(pattern, "u").test(value))
    );
  if (Array.isArray(value)) return value.every((item) => isOf(items ?? {}, item, world));
  if (value === null || typeof value !== "object") return true;
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, inner]) => isOf(properties?.[name] ?? {}, inner, world));
};

const dated = new Set(["date-time", "date", "uuid"]);

const kindOf = (value: unknown, type: string | string[]): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number" && Number.isInteger(value) && [type].flat().includes("integer"))
    return "integer";
  return typeof value;
};

const isNull = ({ type }: DescribedSchema): boolean => type === "null";

const typeOf = ({ type, properties }: DescribedSchema): string | undefined =>
  properties ? "object" : [type].flat().find((each) => each !== "null");

const scalarOf = (schema: DescribedSchema, type: string | undefined): unknown => {
  const { format = "", minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema;
  if (type === "integer" || type === "number") return Math.min(maximum, Math.max(minimum, 3));
  if (type === "boolean") return true;
  if (type === "null") return null;
  return type === "string" ? (textsByFormat[format] ?? "…") : {};
};

const textsByFormat: Record<string, string> = {
  "date-time": "2026-01-31T14:30:00.000Z",
  date: "2026-01-31",
  uuid: "0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10",
  uri: "https://atrium.example",
};

/** The document with an example in each body and each answer that has none yet; those given are kept as they are. */
export const withExamples = <Document extends DescribedDocument>(document: Document): Document => {
  const resolve = (schema: DescribedSchema): DescribedSchema => resolved(document, schema);
  const complete = (described: DescribedContent, place: Place): DescribedContent => {
    if (described.content === undefined) return described;
    const content = Object.entries(described.content).map(([type, media]) => {
      if ("example" in media || "examples" in media) return [type, media];
      const example = exampleFor(type, media.schema ?? {}, { ...place, resolve });
      return [type, example === undefined ? media : { ...media, example }];
    });
    return { ...described, content: Object.fromEntries(content) };
  };
  const { responses = {} } = document.components ?? {};
  return {
    ...document,
    paths: mapValues(document.paths, (item, path) =>
      mapValues(item, (operation, method) => ({
        ...operation,
        ...(operation.requestBody ? { requestBody: complete(operation.requestBody, { path, method }) } : {}),
        ...(operation.responses
          ? {
              responses: mapValues(operation.responses, (response, status) =>
                complete(response, { path, method, status: Number(status) }),
              ),
            }
          : {}),
      })),
    ),
    components: {
      ...document.components,
      responses: mapValues(responses, (response, name) =>
        complete(response, { path: "", method: "", status: Number(/\d{3}$/.exec(name)?.[0]) }),
      ),
    },
  };
};

/** Where something is sent or answered; `status` is absent for what is sent. */
type Place = { path: string; method: string; status?: number };

const exampleFor = (
  type: string,
  schema: DescribedSchema,
  { path, status, resolve }: Place & { resolve(schema: DescribedSchema): DescribedSchema },
): unknown => {
  if (Object.hasOwn(textsByType, type)) return textsByType[type];
  if (!typesOfFields.includes(type)) return undefined;
  if (status !== undefined && status >= 400) return failureExample(status, path);
  return exampleOf(schema, { resolve }, [path.split("/").findLast((part) => /^[a-z]/.test(part)) ?? ""]);
};

const typesOfFields = ["application/json", "multipart/form-data", "application/x-www-form-urlencoded"];

/** Answers that are no JSON, of the kinds that a person can read; what is in the others no example can show. */
const textsByType: Record<string, string> = {
  "text/csv":
    "id,timestamp,pluginName,type,action\r\n812,2026-01-31T14:30:00.000Z,core,plugin_enabled,Enabled a plugin\r\n",
  "application/x-ndjson": '{"id":812,"timestamp":"2026-01-31T14:30:00.000Z","action":"Enabled a plugin"}\n',
  "text/event-stream": 'event: activity\nid: 812\ndata: {"id":812,"action":"Enabled a plugin"}\n\n',
  "text/plain": "atrium_up 1\n",
  "text/html": "<!doctype html>\n<title>Visitor notes</title>\n",
  "text/javascript": "export const ready = true;\n",
};

/** The example for the failures of a status: the most common one. */
const usualFailure: Record<number, ErrorKind> = {
  400: "BAD_REQUEST",
  401: "NOT_SIGNED_IN",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT",
  422: "VALIDATION_FAILED",
  502: "PROVIDER_UNAVAILABLE",
  503: "DB_UNAVAILABLE",
};

const failureExample = (status: number, path: string): object => {
  const first = asKinds(Object.keys(errorStatus)).find((kind) => errorStatus[kind] === status);
  const usual = usualFailure[status] ?? first ?? "INTERNAL";
  const code = status === 404 && path.startsWith("/api/plugins/") ? "PLUGIN_NOT_FOUND" : usual;
  return {
    success: false,
    code,
    message: errorTexts[code],
    requestId: exampleValues.requestId,
    ...(status === 422 ? { errors: [{ path: "limit", message: "Please ask for 1 to 100 rows" }] } : {}),
  };
};

// They are the keys of a constant.
const asKinds = (names: string[]): ErrorKind[] => names as ErrorKind[];

const resolved = (document: DescribedDocument, schema: DescribedSchema): DescribedSchema => {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split("/").at(-1) ?? "";
  return resolved(document, document.components?.schemas?.[name] ?? {});
};

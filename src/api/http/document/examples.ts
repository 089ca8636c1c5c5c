import { type ErrorKind, errorStatus, errorTexts } from "#contract/errors.ts";
import type { DescribedContent, DescribedDocument, DescribedSchema } from "./described.ts";
import { exampleOf } from "./example-of.ts";
import { exampleValues } from "./example-values.ts";
import { mapValues } from "./map-values.ts";

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
  if (type !== "application/json" && type !== "multipart/form-data") return undefined;
  if (status !== undefined && status >= 400) return failureExample(status, path);
  return exampleOf(schema, { resolve }, [path.split("/").findLast((part) => /^[a-z]/.test(part)) ?? ""]);
};

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

/** What stands for the failures of a status: the one that callers meet most. */
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

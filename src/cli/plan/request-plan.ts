import { type AnyCall, type Client, type PluginCall, pluginTarget } from "#cli/client/client.ts";
import { isRecord } from "#cli/client/read-answer.ts";
import { CliFailure } from "#cli/failure.ts";
import { jsonLine } from "#cli/terminal/output.ts";
import { errorTexts, type FieldError } from "#contract/errors.ts";
import { createSchemaCheck, readSchema, type SchemaOptions } from "#contract/json-schema.ts";
import { changingReads } from "#contract/plan.ts";
import { Planned } from "./planned.ts";

type Called = Pick<AnyCall, "method" | "path">;

/** What a call would do, by the API's own description. Throws `NOT_FOUND` for one that it does not have. */
export const requestPlan = async (client: Client, { method, path }: Called): Promise<Planned> => {
  const operation = await describedCall(client, { method, path });
  const words = callWords(operation, { method, path });
  return new Planned({ words, call: `${method} ${plainOf(path) as `/${string}`}` });
};

/** Whether a call with GET changes something all the same. */
export const isChangingRead = (path: string): boolean => {
  const plain = plainOf(path);
  return changingReads.some((template) => isAt(template, plain));
};

/** A call as the API's description has it. Throws `NOT_FOUND` for one that it does not have. */
const describedCall = async (client: Client, { method, path }: Called): Promise<Record<string, unknown>> => {
  const plain = plainOf(path);
  const operation = operationAt(await client.describe(), method.toLowerCase(), plain);
  if (operation !== null) return operation;
  throw new CliFailure("NOT_FOUND", `there is no call ${method} ${plain}; see: atrium openapi`);
};

/** That a call would be made, and what it does. */
const callWords = ({ summary }: Record<string, unknown>, { method, path }: Called): string =>
  `Would call ${method} ${path}${typeof summary === "string" ? `: ${summary}` : ""}`;

const plainOf = (path: string): string => path.split("?", 1)[0] ?? "";

const operationAt = (
  { paths }: Record<string, unknown>,
  method: string,
  path: string,
): Record<string, unknown> | null => {
  const fitting = Object.entries(Object(paths)).filter(([template]) => isAt(template, path));
  // One that is written out is meant before one with a name in its place.
  fitting.sort(([one], [other]) => one.split("{").length - other.split("{").length);
  for (const [, item] of fitting) {
    const operation: unknown = Object(item)[method];
    if (isRecord(operation)) return operation;
  }
  return null;
};

const isAt = (template: string, path: string): boolean => {
  const [parts, given] = [template.split("/"), path.split("/")];
  return (
    parts.length === given.length && parts.every((part, at) => part === given[at] || /^\{\w+\}$/.test(part))
  );
};

type Operation = Record<string, unknown>;

/**
 * What a plugin's call would do, by the API's own description. Throws `NOT_FOUND` for one that it does not have, and
 * `VALIDATION_FAILED` for values that the description refuses; what the plugin's own code thinks of them is not known.
 */
export const pluginCallPlan = async (client: Client, plugin: string, call: PluginCall): Promise<Planned> => {
  const { method } = call;
  const path = pluginTarget(plugin, call);
  const operation = await describedCall(client, { method, path });
  const errors = [...queryErrors(operation, call), ...bodyErrors(operation, call)];
  if (errors.length > 0) throw new CliFailure("VALIDATION_FAILED", errorTexts.VALIDATION_FAILED, { errors });
  return new Planned({
    words: `${callWords(operation, { method, path })}${sentWords(call)}`,
    call: `${method} /api/${plugin}${call.path === "/" ? "" : call.path}`,
  });
};

const sentWords = ({ body, unread }: PluginCall): string => {
  const sent = body === null || Object.keys(body).length === 0 ? [] : [jsonLine(body)];
  const asked = unread === undefined ? [] : [`the ${unread} that it asks for`];
  const all = [...sent, ...asked].join(" and ");
  return all === "" ? "" : `, with ${all}`;
};

// What has still to be asked for may be what the rest depends on.
const bodyErrors = ({ requestBody }: Operation, { body, unread }: PluginCall): FieldError[] =>
  body === null || unread !== undefined
    ? []
    : errorsIn(body, at(requestBody, ["content", "application/json", "schema"]));

/** A query is made of texts, and of those alone that are described as one something can be said here. */
const queryErrors = ({ parameters }: Operation, { query }: PluginCall): FieldError[] => {
  const all: unknown[] = Array.isArray(parameters) ? parameters : [];
  const inQuery = all
    .filter(isRecord)
    .filter((one) => one.in === "query" && at(one, ["schema", "type"]) === "string");
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return errorsIn(Object.fromEntries(given.map(([name, value]) => [name, String(value)])), {
    type: "object",
    properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
    required: inQuery.flatMap(({ name, required }) => (required === true ? [name] : [])),
  });
};

/** What a schema has against a value; nothing when the schema is none that can be understood here. */
const errorsIn = (value: unknown, described: unknown): FieldError[] => {
  if (described === undefined || isGuess(described)) return [];
  const read = readSchema(described, anyText);
  return "schema" in read ? createSchemaCheck(read.schema, anyText)(value) : [];
};

// Strangers' patterns are for the server, which has an engine whose time they cannot blow up: here any text fits them.
const anyText: SchemaOptions = { compilePattern: () => () => true };

/** Whether to take a text for fitting could make the whole unfit. */
const isGuess = (described: unknown): boolean => {
  const text = JSON.stringify(described);
  return text.includes('"pattern":') && /"(?:not|oneOf)":/.test(text);
};

const at = (value: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (part, name) => (isRecord(part) && Object.hasOwn(part, name) ? part[name] : undefined),
    value,
  );

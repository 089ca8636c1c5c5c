import { type Client, type PluginCall, pluginTarget } from "#cli/client.ts";
import { CliFailure } from "#cli/failure.ts";
import { jsonLine } from "#cli/output.ts";
import { isRecord } from "#cli/read-answer.ts";
import { errorTexts, type FieldError } from "#contract/errors.ts";
import { createSchemaCheck, readSchema, type SchemaOptions } from "#contract/json-schema.ts";
import { Planned } from "./planned.ts";
import { callWords, describedCall } from "./request-plan.ts";

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

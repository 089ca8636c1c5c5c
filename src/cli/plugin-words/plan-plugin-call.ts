import {
  type Client,
  callWords,
  describedCall,
  operationsOf,
  type PluginCall,
  pluginTarget,
} from "#cli/client/client.ts";
import { absentText, at, isRecord } from "#cli/client/read-answer.ts";
import { CliFailure } from "#cli/failure.ts";
import { Planned } from "#cli/planned.ts";
import { jsonLine } from "#cli/terminal/output.ts";
import { errorTexts, type FieldError } from "#contract/errors.ts";
import { createSchemaCheck, type SchemaOptions } from "#contract/json-schema.ts";
import type { Plugin } from "#contract/plugins.ts";
import { readSchema } from "#contract/schema-problems.ts";
import { statusFailure } from "./call-present-plugin.ts";

type Operation = Record<string, unknown>;

/**
 * Ends with what a plugin's call would do, by the API's own description. Throws `NOT_FOUND` for one that it does not have,
 * `VALIDATION_FAILED` for values that the description refuses, `PLUGIN_NOT_FOUND` and `PLUGIN_UNAVAILABLE`; what the plugin's
 * own code thinks of the values is not known.
 */
export const planPluginCall = async (client: Client, plugin: string, call: PluginCall): Promise<never> => {
  await refuseAbsent(client, plugin);
  const { method } = call;
  const path = pluginTarget(plugin, call);
  const operation = await describedCall(client, { method, path });
  const errors = [...queryErrors(operation, call), ...bodyErrors(operation, call)];
  if (errors.length > 0) throw new CliFailure("VALIDATION_FAILED", errorTexts.VALIDATION_FAILED, { errors });
  throw new Planned({
    words: `${callWords(operation, { method, path })}${sentWords(call)}`,
    call: `${method} /api/${plugin}${call.path === "/" ? "" : call.path}`,
  });
};

/** Throws what a call of the plugin would: `PLUGIN_NOT_FOUND` and `PLUGIN_UNAVAILABLE`. */
const refuseAbsent = async (client: Client, name: string): Promise<void> => {
  const plugin = (await operationsOf(client).plugins.list()).data.find(
    (one): one is Plugin => one.name === name && "state" in one,
  );
  if (plugin === undefined) throw new CliFailure("PLUGIN_NOT_FOUND", absentText(name));
  // Without a server the plugin is started for a call, and only then.
  const failure = client.isServer || !plugin.enabled ? statusFailure(plugin) : null;
  if (failure !== null) throw failure;
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

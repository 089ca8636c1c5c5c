import { calls } from "#contract/calls.ts";
import { type PlacedRequest, pathPart, placeCall } from "#contract/create-client.ts";
import { ownCalls } from "#plugins/own-calls.ts";

const lines: { readonly [module: string]: { readonly [name: string]: string } } = { ...calls, ...ownCalls };

/**
 * Puts each part of an operation's input in its place, whoever's operation it is; `partOf` writes a part of the path. Throws for
 * an operation that isn't in its table of calls.
 */
export const placeOperation = (id: string, input: object, partOf = pathPart): PlacedRequest => {
  const [module = "", name = ""] = id.split(".");
  const line = lines[module]?.[name];
  if (line === undefined)
    throw new Error(`no call is known for ${id}: run \`bun scripts/write-operations.ts\``);
  return placeCall(id, line, input, partOf);
};

import type { Client } from "#api/operations.ts";
import { calls } from "./calls.ts";

/** The typed client over any way to call an operation, which resolves to the body of the answer. */
export const createClient = (call: (id: OperationId, input: object) => Promise<unknown>): Client => {
  const client: Record<string, Record<string, (input?: object) => Promise<unknown>>> = {};
  for (const id of operationIds) {
    const [module = "", name = ""] = id.split(".");
    client[module] = { ...client[module], [name]: (input = {}) => call(id, input) };
  }
  return typed(client);
};

const lines: { readonly [module: string]: { readonly [name: string]: string } } = calls;

// They are the very names that the type is made of.
const asIds = (ids: string[]) => ids as OperationId[];

/** All operations. */
export const operationIds = asIds(
  Object.entries(lines).flatMap(([module, names]) => Object.keys(names).map((name) => `${module}.${name}`)),
);

/** The table was written from the very contracts that the type is made of: a test compares them. */
const typed = (client: object) => client as Client;

/** The name of an operation in the API's document: `contact.list`. */
export type OperationId = {
  [M in keyof typeof calls]: `${M}.${keyof (typeof calls)[M] & string}`;
}[keyof typeof calls];

/** A request that calls an operation; `target` is its path with its query. */
export type PlacedRequest = {
  id: string;
  method: string;
  target: string;
  headers: Record<string, string>;
  /** `undefined` for none. */
  body: Record<string, unknown> | undefined;
  /** Whether the answer may take minutes. */
  mayTakeLong: boolean;
};

/**
 * Puts each part of an operation's input in its place, by its line in `calls.ts`; what is `undefined` is left out.
 */
export const placeInput = (id: OperationId, input: object): PlacedRequest => {
  const [module = "", operation = ""] = id.split(".");
  return placeCall(id, lines[module]?.[operation] ?? "", input);
};

/** The same for an operation whose line is at hand; `partOf` writes a part of the path. */
export const placeCall = (
  id: string,
  line: string,
  input: object,
  partOf: (value: string) => string = pathPart,
): PlacedRequest => {
  const [method = "", path = "", ...signs] = line.split(" ");
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const names = new Set(path.match(/(?<=:)\w+/g));
  const rest = given.filter(([name]) => !names.has(name));
  const hasBody = signs.includes("=");
  const placeOf = (name: string): string =>
    signs.find((sign) => sign.slice(1) === name)?.charAt(0) ?? (hasBody ? "=" : "?");
  const at = (place: string) => rest.filter(([name]) => placeOf(name) === place);
  const texts = (place: string) => at(place).map(([name, value]): [string, string] => [name, String(value)]);
  const query = new URLSearchParams(texts("?")).toString();
  const filled = `/api${path}`.replace(/:(\w+)/g, (_, name: string) =>
    partOf(String(given.find(([known]) => known === name)?.[1] ?? "")),
  );
  return {
    id,
    method,
    target: query === "" ? filled : `${filled}?${query}`,
    headers: Object.fromEntries(texts("#")),
    body: hasBody ? Object.fromEntries(at("=")) : undefined,
    mayTakeLong: signs.includes("~"),
  };
};

/**
 * A value as a part of one of the API's paths, which have one spelling: these characters stand there as they are. Source:
 * RFC 3986 §3.3.
 */
export const pathPart = (value: string): string =>
  encodeURIComponent(value).replace(/%(?:2[46BC]|3[AD]|40)/g, decodeURIComponent);

import { AtriumError } from "./atrium-error.ts";
import type { ClientOptions, FileInput, IdempotentOptions, Operation, Operations } from "./options.ts";
import { acceptAnswer, type Call, readAnswer, send } from "./send.ts";
import { watch } from "./watch.ts";

/** A query; what is `undefined` is left out. */
export type Query = { readonly [name: string]: string | number | boolean | undefined };

/** A call for which the client has no function: a route of a plugin, say. */
export type FreeCall = IdempotentOptions & { query?: Query; body?: unknown };

/**
 * Makes the functions of operations. `Client` is what the generator wrote beside them, from the same document. Throws an
 * {@link AtriumError} for an address that is none.
 */
export const buildClient = <Client>(operations: Operations, options: ClientOptions): Client => {
  if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol))
    throw new AtriumError(`${options.url} is not a valid URL`, { code: "VALIDATION_FAILED" });
  const groups = Object.entries(operations).map(([group, own]) => [
    group,
    Object.fromEntries(
      Object.entries(own).map(([name, operation]) => [name, functionOf(options, operation)]),
    ),
  ]);
  const request = (method: string, path: string, { query, body, ...call }: FreeCall = {}) =>
    send(options, { method, target: `${path}${queryOf(query)}`, ...jsonOf(body) }, readAnswer, call);
  return asClient<Client>({ ...Object.fromEntries(groups), request });
};

const functionOf =
  (client: ClientOptions, { method, path, takes, answers, field = "" }: Operation) =>
  (...given: unknown[]) => {
    const named = new Map<string, unknown>();
    const values = takes.map((taken, index) => {
      if (taken !== "path") named.set(taken, given[index]);
      return given[index];
    });
    const options = asOptions(given[takes.length]);
    const targetOf = () => `${filled(path, values)}${queryOf(asQuery(named.get("query")))}`;
    if (answers === "events") return watch(client, targetOf(), options);
    // Asynchronous, so that a bad argument is reported like a failed request.
    const call = async (): Promise<unknown> => {
      const sent = takes.includes("file") ? formOf(field, named.get("file")) : jsonOf(bodyOf(named));
      const made: Call = { method, target: targetOf(), ...sent };
      return answers === "response"
        ? send(client, made, acceptAnswer, options)
        : send(client, made, readAnswer, options);
    };
    return call();
  };

/** A body that has nothing to say is sent all the same, because the call takes one. */
const bodyOf = (named: ReadonlyMap<string, unknown>): unknown =>
  named.has("body") ? (named.get("body") ?? {}) : undefined;

/** The path with its parts filled in. Throws an {@link AtriumError} for one that would make it another path. */
const filled = (path: string, values: readonly unknown[]): string => {
  let next = 0;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[next++] ?? "");
    if (/^\.{0,2}$/.test(value)) {
      throw new AtriumError(`\`${name}\` cannot be ${JSON.stringify(value)}`, { code: "VALIDATION_FAILED" });
    }
    // The API's paths have one spelling, with these characters as they are: RFC 3986 §3.3.
    return encodeURIComponent(value).replace(/%(?:2[46BC]|3[AD]|40)/g, decodeURIComponent);
  });
};

const queryOf = (query: Query = {}): string => {
  const told = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return told.length === 0 ? "" : `?${new URLSearchParams(told)}`;
};

const jsonOf = (body: unknown): Pick<Call, "body" | "headers"> =>
  body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };

const formOf = (field: string, file: unknown): Pick<Call, "body"> => {
  const given = asFile(file);
  const form = new FormData();
  const blob = given instanceof Blob ? given : new Blob([given]);
  form.append(field, blob, "name" in blob && typeof blob.name === "string" ? blob.name : `${field}.zip`);
  return { body: form };
};

// The generated types are for callers; in here they are not known.
const asClient = <Client>(made: object): Client => made as Client;
const asOptions = (given: unknown) => (given ?? {}) as IdempotentOptions;
const asQuery = (given: unknown) => (given ?? {}) as Query;
const asFile = (given: unknown) => given as FileInput;

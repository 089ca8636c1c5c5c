import { Memoirist } from "memoirist";
import { validationError } from "#api/core/app-error.ts";
import type { BodyCheck, Route } from "#api/door/exchange.ts";
import { isSafeMethod } from "#api/http/body.ts";
import type { FieldError } from "#contract/errors.ts";
import { createSchemaCheck, type JsonSchema, type SchemaOptions } from "#contract/json-schema.ts";
import { createPatternBook } from "#contract/pattern-size.ts";
import { type PermissionName, pluginLimits } from "#contract/plugins.ts";
import { readSchema } from "#contract/schema-problems.ts";
import type { Json, PluginRequest } from "#plugins/sdk/types.ts";
import { compilePattern } from "../package/compile-pattern.ts";
import { isShown, type PluginRuntime, type RegisteredRoute, type RouteProof } from "../runtime.ts";

/** A plugin's route, ready to be called. */
export type CompiledRoute = {
  registered: RegisteredRoute;
  /** What a session must have proven recently. */
  proof: RouteProof;
  /** Throws a 422 for a body that doesn't fit the route's schema; `null` if it takes none. */
  checkBody: BodyCheck | null;
  checkQuery(query: PluginRequest["query"]): void;
  /** Values of the route's path parameters in a path of the plugin, which begins with a slash. */
  paramsOf(path: string): Record<string, string>;
  body: JsonSchema | null;
  query: JsonSchema | null;
  /** An example body; absent if there is none, or none could be made from the schema. */
  bodyExample?: Json | undefined;
  /** Its described responses, by status. */
  answers: ReadAnswers;
  /** Whether it can have other responses. */
  isOpenEnded: boolean;
  /** The descriptions of its path parameters. */
  params: Readonly<Record<string, string>>;
};

const methods: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const longestPath = 200;
// The pipeline only accepts paths that can be read in one way.
const segment = /^[A-Za-z0-9_~!$&'()+,=@-][A-Za-z0-9._~!$&'()+,=@-]*$/;
const parameter = /^:([A-Za-z][A-Za-z0-9_]{0,39})$/;

/** The permission that a route of an access level needs; each also needs `routes`. */
const neededFor: Record<RegisteredRoute["access"], PermissionName> = {
  admin: "routes",
  user: "routes.user",
  public: "routes.public",
};

/** What a route of admins requires of a session unless it says otherwise. */
export const usualProof = (method: string): RouteProof => (isSafeMethod(method) ? "none" : "recent");

type Granted = readonly { name: PermissionName }[];
type Registration = PluginRuntime["registration"];

// Cached per running plugin, and dropped with it.
const prepared = new WeakMap<Registration, { granted: string; routes: CompiledRoute[] }>();

/**
 * Checks what a plugin registered, none of which is trusted, and prepares it, once while it runs. Throws an `Error`
 * that tells the plugin's author what is wrong.
 */
export const compileRoutes = (registration: Registration, granted: Granted): CompiledRoute[] => {
  const names = granted.map(({ name }) => name).join();
  const known = prepared.get(registration);
  if (known?.granted === names) return known.routes;
  const routes = prepare(registration.routes, granted);
  prepared.set(registration, { granted: names, routes });
  return routes;
};

const prepare = (routes: readonly RegisteredRoute[], granted: Granted): CompiledRoute[] => {
  if (routes.length > pluginLimits.routes)
    throw new Error(`A plugin has at most ${pluginLimits.routes} routes`);
  const seen = new Set<string>();
  const options = { compilePattern: createPatternBook(compilePattern) };
  return routes.map((registered) => {
    const { method, path, access, headers, proof } = registered;
    const where = `${String(method)} ${String(path)}`.slice(0, longestPath);
    if (!methods.includes(method)) throw new Error(`${where}: routes can't have this method`);
    checkPath(path, where);
    for (const name of headers)
      if (!isHeaderForPlugins(name)) throw new Error(`${where}: plugins can't read the header ${name}`);
    if (!Object.hasOwn(neededFor, access)) throw new Error(`${where}: access is admin, user or public`);
    if (access === "public" && proof !== null && proof !== "none")
      throw new Error(`${where}: a public route can't require proof`);
    for (const name of new Set<PermissionName>(["routes", neededFor[access]]))
      if (granted.every((permission) => permission.name !== name))
        throw new Error(`${where}: the permission ${name} was not granted`);
    const shape = `${method} ${shapeOf(path)}`;
    if (seen.has(shape)) throw new Error(`${where}: this route already exists`);
    seen.add(shape);
    return compile(registered, where, options);
  });
};

const checkPath = (path: string, where: string): void => {
  if (typeof path !== "string" || path.length > longestPath || !path.startsWith("/"))
    throw new Error(`${where}: a path begins with a slash and has at most ${longestPath} characters`);
  if (path === "/") return;
  const names = new Set<string>();
  for (const part of path.slice(1).split("/")) {
    const name = parameter.exec(part)?.[1];
    if (name === undefined && !segment.test(part))
      throw new Error(`${where}: a path consists of plain segments and :names`);
    if (name === undefined) continue;
    if (names.has(name)) throw new Error(`${where}: two parameters have the name ${name}`);
    names.add(name);
  }
};

/** A path without the names of its parameters: of two routes that only differ in these, one could never be called. */
const shapeOf = (path: string): string =>
  path
    .split("/")
    .map((part, index) => (part.startsWith(":") ? `:p${index}` : part))
    .join("/");

type Complaints = (value: unknown) => FieldError[];

const compile = (registered: RegisteredRoute, where: string, options: SchemaOptions): CompiledRoute => {
  const [body, query] = (["body", "query"] as const).map((what) =>
    schemaOf(registered[what], `${where}: the schema of its ${what}`, options),
  );
  for (const [name, { type }] of Object.entries(query?.properties ?? {}))
    if (type !== undefined && [type].flat().some((kind) => kind !== "string" && kind !== "array"))
      throw new Error(
        `${where}: a query consists of strings, so ${name} must be a string or a list of strings`,
      );
  const checkOf = (complaintsOf: Complaints | null) =>
    complaintsOf &&
    ((value: unknown) => {
      const errors = complaintsOf(value);
      if (errors.length > 0) throw validationError(errors);
    });
  const complaintsOf = (schema: JsonSchema | null | undefined): Complaints | null =>
    schema ? createSchemaCheck(schema, options) : null;
  const ofBody = complaintsOf(body);
  const checkQuery = checkOf(complaintsOf(query)) ?? (() => {});
  const places = registered.path
    .split("/")
    .flatMap((part, index) => (part.startsWith(":") ? [{ index, name: part.slice(1) }] : []));
  const { method, access, proof } = registered;
  return {
    registered,
    proof: proof ?? (access === "admin" ? usualProof(method) : "none"),
    checkBody: checkOf(ofBody),
    checkQuery,
    paramsOf: (path) => {
      if (places.length === 0) return {};
      const parts = path.split("/");
      return Object.fromEntries(places.map(({ index, name }) => [name, parts[index] ?? ""]));
    },
    body: body ?? null,
    query: query ?? null,
    ...(body && ofBody ? { bodyExample: schemaExample(body, (value) => ofBody(value).length === 0) } : {}),
    answers: readAnswers(registered, where, options),
    isOpenEnded: registered.answers === null,
    params: readParams(registered.params, where),
  };
};

/** Finds the entry for a path of one plugin. */
export type PathTable<T> = { find(method: string, path: string): T | { allow: string[]; any: T } | null };

/** A table of entries with a method and a path with `:names`. */
export const createPathTable = <T extends Pick<Route, "method">>(
  entries: readonly { path: string; entry: T }[],
): PathTable<T> => {
  const templates = new Map<string, Map<string, T>>();
  const dynamic = new Memoirist<Map<string, T>>();
  for (const { path, entry } of entries) {
    const shape = shapeOf(path);
    const byMethod = templates.get(shape) ?? new Map<string, T>();
    if (!templates.has(shape)) {
      templates.set(shape, byMethod);
      if (shape.includes(":")) dynamic.add("ANY", shape, byMethod);
    }
    byMethod.set(entry.method, entry);
  }
  return {
    find: (method, path) => {
      // A path with a colon is never taken for a template that looks the same.
      const fixed = path.includes(":") ? undefined : templates.get(path);
      const byMethod = fixed ?? dynamic.find("ANY", path)?.store;
      if (byMethod === undefined) return null;
      const found = byMethod.get(method);
      if (found !== undefined) return found;
      const [any] = byMethod.values();
      return any === undefined ? null : { allow: [...byMethod.keys()], any };
    },
  };
};

const always: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "content-type",
  "user-agent",
  "if-none-match",
]);

const token = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

// Headers that identify someone for the browser, for Atrium or for a proxy; and our own.
const reserved =
  /^(?:(?:set-)?cookie2?|authorization|host|forwarded|via|(?:http-)?remote-|proxy-|cf-access-|tailscale-user-|x-(?:forwarded|real-ip|original-|client-cert|ssl-|auth-request-|remote-|authentik-|authelia-|pomerium-|vault-|amz|goog-|ms-|csrf|xsrf|atrium).*)/;

/** Whether a route can ask for a header: never for one that authenticates or identifies someone. */
export const isHeaderForPlugins = (name: string): boolean => {
  const lower = name.toLowerCase();
  return token.test(lower) && !reserved.test(lower);
};

/** The headers that a route gets, with lowercase names: a few harmless ones, and those that it asks for. */
export const visibleHeaders = (headers: Headers, named: readonly string[]): Record<string, string> => {
  const wanted = new Set([...always, ...named.filter(isHeaderForPlugins).map((name) => name.toLowerCase())]);
  const visible: Record<string, string> = {};
  for (const name of wanted) {
    const value = headers.get(name);
    if (value !== null) visible[name] = value;
  }
  return visible;
};

/** A response as the plugin's author describes it; `example` is absent if there is none. */
export type ReadAnswer = {
  description: string;
  schema: JsonSchema | null;
  example?: Json;
  texts: Readonly<Record<string, string>>;
};

/** By status. */
type ReadAnswers = { readonly [status: string]: ReadAnswer };

const mostAnswers = 30;
const mostTexts = 10;
const longestDescription = 500;
const longestText = 2_000;
const mediaType = /^[a-z]+\/[a-z0-9.+-]{1,80}$/;
const status = /^(?!304)[2-5]\d\d$/;

/**
 * Reads the described responses of a route, with an example for each schema if possible. Throws an `Error` that tells
 * the plugin's author what is wrong; `where` names the route.
 */
const readAnswers = (
  { answers, response }: Pick<RegisteredRoute, "answers" | "response">,
  where: string,
  options: SchemaOptions,
): ReadAnswers => {
  const usual = schemaOf(response, `${where}: the schema of its response`, options);
  const entries = Object.entries(answers === null ? {} : fieldsOf(answers, `${where}: its answers`));
  if (entries.length > mostAnswers) throw new Error(`${where}: it has at most ${mostAnswers} answers`);
  const read = entries.map(([key, answer]): [string, ReadAnswer] => {
    if (!status.test(key))
      throw new Error(`${where}: answers have a status from 200 to 599, except 304: ${key.slice(0, 20)}`);
    return [
      key,
      readAnswer(answer, `${where}: its answer ${key}`, { ...options, usual: key === "200" ? usual : null }),
    ];
  });
  const unsaid = { description: "What the plugin answers", schema: usual, texts: {} };
  const first = usual === null ? {} : { 200: withExample(unsaid, options) };
  return { ...first, ...Object.fromEntries(read) };
};

type AnswerOptions = SchemaOptions & { usual: JsonSchema | null };

const readAnswer = (value: Json, what: string, { usual, ...options }: AnswerOptions): ReadAnswer => {
  const { description, schema: given, example, texts } = fieldsOf(value, what);
  const schema = schemaOf(given, `${what}: its schema`, options) ?? usual;
  const read = {
    description: textOf(description, `${what}: its description`, { most: longestDescription }),
    schema,
    texts: readTexts(texts ?? null, what),
  };
  if (example === undefined) return withExample(read, options);
  const [error] = schema === null ? [] : createSchemaCheck(schema, options)(example);
  if (error !== undefined)
    throw new Error(`${what}: its example does not fit: ${error.path}: ${error.message}`);
  return { ...read, example };
};

const withExample = (answer: ReadAnswer, options: SchemaOptions): ReadAnswer => {
  const { schema } = answer;
  if (schema === null) return answer;
  const check = createSchemaCheck(schema, options);
  const example = schemaExample(schema, (value) => check(value).length === 0);
  return example === undefined ? answer : { ...answer, example };
};

const readTexts = (value: Json, what: string): ReadAnswer["texts"] => {
  if (value === null) return {};
  const entries = Object.entries(fieldsOf(value, `${what}: its texts`));
  if (entries.length > mostTexts) throw new Error(`${what}: it has at most ${mostTexts} texts`);
  return Object.fromEntries(
    entries.map(([type, text]) => {
      if (!mediaType.test(type) || type === "application/json")
        throw new Error(`${what}: ${type.slice(0, 80)} is not a text media type in lowercase`);
      return [type, textOf(text, `${what}: the example of ${type}`, { most: longestText, isTable: true })];
    }),
  );
};

/** Reads the descriptions of a route's path parameters. Throws like {@link readAnswers}. */
const readParams = (value: Json, where: string): Readonly<Record<string, string>> =>
  value === null
    ? {}
    : Object.fromEntries(
        Object.entries(fieldsOf(value, `${where}: its params`)).map(([name, text]) => [
          name,
          textOf(text, `${where}: its param ${name.slice(0, 40)}`, { most: longestDescription }),
        ]),
      );

const fieldsOf = (value: Json | undefined, what: string): { [name: string]: Json } => {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Error(`${what} must be an object`);
};

type TextBounds = { most: number; isTable?: boolean };

const textOf = (value: Json | undefined, what: string, { most, isTable = false }: TextBounds): string => {
  if (typeof value !== "string" || value === "" || value.length > most)
    throw new Error(`${what} must be a text of 1 to ${most} characters`);
  // Tables contain tabs and other line breaks.
  if (!isShown(isTable ? value.replace(/[\r\t]/g, "") : value))
    throw new Error(`${what} contains invisible characters`);
  return value;
};

/**
 * Reads a schema that a plugin registered; `null` if there is none. Throws an `Error` for its author, in which `what`
 * names the schema.
 */
const schemaOf = (value: Json | undefined, what: string, options: SchemaOptions): JsonSchema | null => {
  if (value === null || value === undefined) return null;
  const read = readSchema(value, options);
  if ("schema" in read) {
    const hidden = hiddenText(read.schema);
    if (hidden === null) return read.schema;
    throw new Error(`${what} cannot be used: a ${hidden} in it contains invisible characters`);
  }
  const [problem] = read.problems;
  throw new Error(`${what} cannot be used: ${problem?.path ? `${problem.path}: ` : ""}${problem?.message}`);
};

/** Which of a schema's texts, at any depth, can't be displayed; `null` if all can. */
const hiddenText = (schema: JsonSchema): string | null => {
  for (const keyword of ["title", "description", "x-placeholder"] as const)
    if (!isShown(schema[keyword] ?? "")) return keyword;
  for (const part of partsOf(schema)) {
    const hidden = hiddenText(part);
    if (hidden !== null) return hidden;
  }
  return null;
};

const partsOf = ({ properties, items, not, additionalProperties, anyOf, oneOf, allOf }: JsonSchema) =>
  [...Object.values(properties ?? {}), items, not, additionalProperties, anyOf, oneOf, allOf]
    .flat()
    .filter((part): part is JsonSchema => typeof part === "object");

/**
 * A value that a plugin's schema allows, from its first examples, defaults and bounds; `undefined` if `fits` rejects
 * it. Patterns are never run here: a stranger's can take forever.
 */
const schemaExample = (schema: JsonSchema, fits: (value: unknown) => boolean): Json | undefined => {
  const made = exampleOf(schema);
  return fits(made) ? made : undefined;
};

const exampleOf = (schema: JsonSchema): Json => {
  const { examples, default: initial, enum: choices, anyOf, oneOf } = schema;
  const [given] = examples ?? [];
  if (given !== undefined) return asJson(given);
  if ("const" in schema) return asJson(schema.const);
  if (initial !== undefined) return asJson(initial);
  if (choices !== undefined) return asJson(choices.find((choice) => choice !== "") ?? choices[0]);
  const [form] = anyOf ?? oneOf ?? [];
  if (form !== undefined) return exampleOf(form);
  return plainExample(schema);
};

const plainExample = (schema: JsonSchema): Json => {
  const type = schema.properties === undefined ? [schema.type].flat()[0] : "object";
  if (type === "array") {
    // A list is shown with one item, if it can have any.
    const length = Math.min(mostItems, Math.max(schema.minItems ?? 0, schema.items === undefined ? 0 : 1));
    return Array.from({ length }, () => exampleOf(schema.items ?? {}));
  }
  if (type === "string") return textExample(schema);
  if (type === "integer" || type === "number")
    return Math.min(schema.maximum ?? Number.POSITIVE_INFINITY, Math.max(schema.minimum ?? 0, 3));
  if (type === "boolean") return true;
  if (type === "null") return null;
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, exampleOf(inner)]),
  );
};

const mostItems = 3;
const longestExample = 200;

const textExample = ({ format, minLength = 0, maxLength = longestExample }: JsonSchema): string => {
  const known = textsByFormat[format ?? ""];
  if (known !== undefined) return known;
  return "text".padEnd(Math.min(minLength, longestExample), "t").slice(0, maxLength);
};

const textsByFormat: Record<string, string> = {
  "date-time": "2026-01-31T14:30:00.000Z",
  date: "2026-01-31",
  uuid: "0198c2f4-6f3b-7c1e-9b0a-5d2f8e4a7c10",
  uri: "https://atrium.example",
  email: "ada@example.com",
};

/** The schema was parsed from JSON. */
const asJson = (value: unknown): Json => value as Json;

import { exampleOf } from "#api/http/document/complete.ts";
import type { DescribedParameter, DescribedSchema } from "#api/http/document/paths.ts";
import { describedSchemas } from "./described-schema.ts";
import { canary } from "./good-calls.ts";
import { testPassword } from "./host.ts";
import type { GoodCall } from "./mutate-request.ts";
import type { Random } from "./random.ts";

/** One call of the API's document, as far as calls are made of it. */
export type DescribedCall = {
  method: string;
  path: string;
  parameters: DescribedParameter[];
  /** What may be sent, by its media type. */
  content: { [type: string]: { schema?: DescribedSchema; example?: unknown } };
  responses: { [status: string]: object };
  /** Who may make it: one of these schemes with what stands beside it; no one in particular when there is none. */
  security: { [scheme: string]: string[] }[];
};

/** What parts of paths may name, by how the path begins: `/api/admin/users/` for everything about one account. */
export type Rows = { [beginning: string]: readonly [string, ...string[]] };

type World = {
  random: Random;
  rows: Rows;
  /** A file that may be sent. */
  file: Uint8Array;
  /** Addresses that have an account. */
  emails: readonly [string, ...string[]];
  resolve(schema: DescribedSchema): DescribedSchema;
};

/** The document's calls, and good calls made of them from nothing but what it says. */
export const documentCalls = (document: object) => {
  const { resolve } = describedSchemas(document);
  // Its own tests see to it that it is of this shape.
  const { paths } = document as {
    paths: Record<string, Record<string, DescribedCall & { requestBody?: object }>>;
  };
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { parameters = [], requestBody = {}, responses, security }]): DescribedCall => ({
        method: method.toUpperCase(),
        path,
        parameters,
        content: (resolve(requestBody) as Partial<DescribedCall>).content ?? {},
        responses,
        security,
      }),
    ),
  );
  return {
    calls,
    make: (call: DescribedCall, world: Omit<World, "resolve">): GoodCall =>
      goodCall(call, { ...world, resolve: (schema) => resolve(schema) as DescribedSchema }),
  };
};

const goodCall = ({ method, path, parameters, content }: DescribedCall, world: World): GoodCall => {
  const { random } = world;
  const given = (place: string) =>
    parameters
      .filter(({ in: where }) => where === place)
      .filter(({ required }) => required === true || random.once(3))
      .map(({ name, schema = {} }) => [name, String(parameterOf(name, schema, world))] as const);
  const [type = "", media = {}] = Object.entries(content)[0] ?? [];
  const call = {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => partOf(path, name, parameters, world)),
    query: Object.fromEntries(given("query")),
    headers: Object.fromEntries(given("header")),
  };
  if (type === "multipart/form-data") return { ...call, ...formOf(world.file) };
  if (type === "") return call;
  // What is documented as an example is as good as what is documented as a schema.
  const body = random.once(4) ? withSecrets(media.example) : bodyOf(media.schema ?? {}, world);
  return { ...call, body: Object(body) };
};

/** A part of a path: a row that is there, more often than not; else what its schema allows. */
const partOf = (path: string, name: string, parameters: DescribedParameter[], world: World): string => {
  const { random, rows } = world;
  const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? {};
  const beginning = Object.keys(rows)
    .filter((each) => path.includes(each))
    .filter((each) => path.slice(path.indexOf(each) + each.length).startsWith(`{${name}}`))
    .toSorted((a, b) => b.length - a.length)[0];
  const known = beginning === undefined ? undefined : rows[beginning];
  const isMade = known === undefined || (!isSecret(name) && random.once(8));
  const made = isMade ? String(parameterOf(name, schema, world)) : random.pick(known);
  return asSegment(made) || "none";
};

/** A part of a path is written without the escapes that it can do without: there is one spelling of each. */
const asSegment = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:2[46BC]|3[AD]|40)/g, decodeURIComponent);

/** Lists of words and dates are texts to a schema: their examples stand for them, and any text beside these. */
const parameterOf = (name: string, schema: DescribedSchema, world: World): unknown =>
  world.random.once(2) ? sampleOf(schema, world, [name]) : bodyOf(schema, world, [name]);

/** The example of a field; digits where it has none, which fit the patterns of what is only made by programs. */
const sampleOf = (schema: DescribedSchema, world: World, names: readonly string[]): unknown => {
  const example = exampleOf(schema, world, names);
  return example === "…" ? `${10_000_000 + world.random.below(90_000_000)}` : example;
};

const bodyOf = (schema: DescribedSchema, world: World, names: readonly string[] = []): unknown => {
  const { random, resolve } = world;
  const found = resolve(schema);
  const name = names.at(-1) ?? "";
  if ("const" in found) return found.const;
  if (found.enum) return found.enum[random.below(found.enum.length)];
  if (found.anyOf) return bodyOf(found.anyOf[random.below(found.anyOf.length)] ?? {}, world, names);
  const types = [found.type ?? (found.properties ? "object" : "null")].flat();
  const type = types[random.below(types.length)];
  if (type === "object") return objectOf(found, world, names);
  if (type === "array") return listOf(found, world, names);
  if (type === "integer" || type === "number") return numberOf(found, random);
  if (type === "boolean") return random.once(2);
  if (type === "null") return null;
  return isSecret(name) ? secretOf(name, random) : textOf(found, world, names);
};

const objectOf = (schema: DescribedSchema, world: World, names: readonly string[]): object => {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties)
    .filter(([name]) => required.includes(name) || world.random.once(2))
    .map(([name, inner]) => [name, bodyOf(inner, world, [...names, name])]);
  const others =
    typeof additionalProperties === "object" ? [["other", bodyOf(additionalProperties, world)]] : [];
  return Object.fromEntries([...fields, ...others]);
};

const listOf = (schema: DescribedSchema, world: World, names: readonly string[]): unknown[] => {
  const { items = {}, minItems = 0, maxItems = 3 } = schema;
  const length = Math.min(maxItems, minItems + world.random.below(3));
  return Array.from({ length }, () => bodyOf(items, world, names));
};

const numberOf = ({ minimum = -1_000, maximum = 1_000 }: DescribedSchema, random: Random): number =>
  random.pick([minimum, maximum, minimum + random.below(Math.min(maximum - minimum, 2 ** 31) + 1)]);

/** A text within its bounds; where more than bounds decides, or what it means, the field's example. */
const textOf = (schema: DescribedSchema, world: World, names: readonly string[]): string => {
  const { pattern, format, minLength = 0, maxLength = 200, description = "" } = schema;
  const { random } = world;
  if (names.at(-1) === "email" || format === "email")
    return random.once(4) ? random.pick(world.emails) : `ada.${random.below(2 ** 31)}@fuzzed.example`;
  if (
    pattern !== undefined ||
    format !== undefined ||
    /address|recipient|base64/i.test(description) ||
    random.once(2)
  )
    return String(sampleOf(schema, world, names));
  const text = random.pick(texts).repeat(1 + Math.floor(minLength / 2));
  return random.once(20)
    ? text.padEnd(maxLength, "x").slice(0, maxLength)
    : text.slice(0, Math.max(minLength, maxLength));
};

const texts = [
  "Ada",
  "ada lovelace",
  "O’Brien & Söhne",
  "<b>7</b>",
  "日本語のテキスト",
  "a,b;c\"d'",
  "-1",
  "2026-01-31",
] as const;

/** The password of everyone here, or one that no one has. */
const secretOf = (name: string, random: Random): string =>
  /^(?:currentP|p)assword$/.test(name) && !random.once(4) ? testPassword : canary;

const isSecret = (name: string): boolean => /password|secret|token$/i.test(name);

/** Examples show no secrets, but words in their place. */
const withSecrets = (example: unknown): unknown =>
  JSON.parse(JSON.stringify(example ?? {}).replace(/‹[^›]*›/g, canary));

const boundary = "----documented";

const formOf = (file: Uint8Array): Pick<GoodCall, "headers" | "bytes"> => ({
  headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  bytes: new Uint8Array(
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="plugin"; filename="a.zip"\r\ncontent-type: application/zip\r\n\r\n`,
      ),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  ),
});

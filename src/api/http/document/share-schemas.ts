import { operations } from "#api/operations.ts";
import type { Operation } from "#contract/operation.ts";
import {
  type DescribedMedia,
  type DescribedPaths,
  isSchema,
  mapChildren,
  operationsOf,
  type Schema,
} from "./paths.ts";

/** Names of schemas by a place where they are used, such as `get /api/auth/user 200.role`. */
type SchemaNames = { readonly [place: string]: string };

/**
 * Puts references where the same schema is at several places of `paths` and has a name, and answers with the schemas
 * that they are to, by name. What has no name stays where it is.
 */
export const shareSchemas = (paths: DescribedPaths, names: SchemaNames): Record<string, Schema> => {
  const all = mediaOf(paths);
  const named = new Map<string, { name: string; schema: Schema }>();
  for (const [key, { schema, places }] of repeatedSchemas(all)) {
    const name = places.map((place) => names[place]).find((found) => found !== undefined);
    if (name !== undefined) named.set(key, { name, schema });
  }
  const refer = (schema: Schema): Schema => {
    const known = isWorthNaming(schema) ? named.get(JSON.stringify(schema)) : undefined;
    return known ? { $ref: `#/components/schemas/${known.name}` } : mapChildren(schema, refer);
  };
  for (const { media } of all) if (media.schema) media.schema = refer(media.schema);
  return Object.fromEntries(
    [...named.values()].map(({ name, schema }) => [name, mapChildren(schema, refer)]),
  );
};

/**
 * The schemas of objects and of choices that stand at more than one place, with these places, by their JSON. What stands
 * within a repeated one counts once.
 */
const repeatedSchemas = (all: PlacedMedia[]): Map<string, { schema: Schema; places: string[] }> => {
  const uses = new Map<string, { schema: Schema; places: string[] }>();
  const look = (schema: Schema, place: string): Schema => {
    const key = isWorthNaming(schema) ? JSON.stringify(schema) : null;
    const known = key === null ? undefined : uses.get(key);
    known?.places.push(place);
    if (known) return schema;
    if (key !== null) uses.set(key, { schema, places: [place] });
    return mapChildren(schema, (child, step) => look(child, place + step));
  };
  for (const { media, place } of all) if (media.schema) look(media.schema, place);
  return new Map([...uses].filter(([, { places }]) => places.length > 1));
};

/** Something that comes with a call or its answer, and where: `put /api/account/name body`, `get /api/admin 200`. */
type PlacedMedia = { place: string; media: DescribedMedia };

/** Everything that comes with calls and answers, in the order of the document. */
export const mediaOf = (paths: DescribedPaths): PlacedMedia[] =>
  operationsOf(paths).flatMap(({ method, path, operation }) => {
    const parts = { body: operation.requestBody, ...operation.responses };
    return Object.entries(parts).flatMap(([part, described]) =>
      Object.values(described?.content ?? {}).map((media) => ({ place: `${method} ${path} ${part}`, media })),
    );
  });

/** Objects with fields, choices, and forms of objects. A list, a bare text or `null` beside an object is short enough. */
const isWorthNaming = ({ properties, enum: choices, anyOf }: Schema): boolean => {
  if (isSchema(properties)) return Object.keys(properties).length > 0;
  if (Array.isArray(anyOf)) return anyOf.filter((form) => isSchema(form?.properties)).length > 1;
  return Array.isArray(choices) && choices.length > 1;
};

/** Those that a contract gives, by their places in the whole document. */
const namesOf = ({ endpoint, names = {} }: Operation): [string, string][] => {
  const [method = "", path = ""] = endpoint.split(" ");
  const at = `${method.toLowerCase()} ${path.replace(/:(\w+)/g, "{$1}")}`;
  return Object.entries(names).map(([place, name]) => [`${at} ${place}`, name]);
};

/**
 * What schemas are called that stand at several places, each by the first of them: generated clients make types of these
 * names, so that they stay when places come and go. A schema that comes to be repeated is given one here.
 */
export const schemaNames: SchemaNames = {
  ...Object.fromEntries(operations.flatMap(({ operation }) => namesOf(operation))),
  "get /api/auth/google 302": "SentOn",

  "get /api/ready 200.status": "Readiness",
  "get /api/ready 200.parts.database": "PartState",

  "post /mcp 200|1": "RpcFailure",

  "post /api/plugins/inspect body": "PackageUpload",
};

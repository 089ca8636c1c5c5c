import type { TUnsafe } from "@sinclair/typebox";
import type { AnyFeatureServer, FeatureServer } from "#api/core/feature-server.ts";
import type { Kit } from "#api/modules/kit.ts";
import { emailComplaint } from "./account-rules.ts";
import { reservedCommandWords } from "./command-words.ts";
import type { SettingsSection } from "./define-settings.ts";
import { type FeatureSettings, settingsOperations } from "./feature-settings.ts";
import type { Contract } from "./operation.ts";
import { pluginNamePattern, reservedPluginNames, shippedPluginNames } from "./plugin-names.ts";

/**
 * A feature of a product that is built on Atrium, in `src/plugins/<name>/`. All of it is data that loads nothing, since the
 * command line reads it at each start; `server` loads the rest.
 */
export type Feature<N extends string = string, C extends Contract = Contract> = {
  /** Its folder, the beginning of its addresses (`/api/<name>`) and the word of its commands. */
  name: N;
  title: string;
  contract: C;
  /** What is said of its commands; needed if an operation has one. */
  commands?: { summary: string; description: string };
  /** What admins set of it: declare them with `featureSettings`. */
  settings?: FeatureSettings;
  server: () => Promise<{ server: FeatureServer<C> }>;
};

/** A feature whose types are forgotten: one of a list. */
export type AnyFeature = Omit<Feature, "server"> & {
  server: () => Promise<{ server: AnyFeatureServer }>;
};

/** Declares a feature, which counts once it is listed in `src/plugins/own.ts`. Its settings come with operations. */
export const defineFeature = <const N extends string, const C extends Contract, S extends object = never>(
  feature: Omit<Feature<N, C>, "settings"> & { settings?: SettingsSection<N, S> },
): Declared<N, C, S> => {
  const { settings, contract } = feature;
  const own = settings === undefined ? {} : settingsOperations(settings);
  // What is there without settings, and with them those of the type.
  return { ...feature, contract: { ...own, ...contract } } as unknown as Declared<N, C, S>;
};

type Declared<N extends string, C extends Contract, S extends object> = Omit<Feature<N, C>, "contract"> & {
  contract: [S] extends [never] ? C : C & ReturnType<typeof settingsOperations<N, S>>;
};

/** Under which name its operations are in the API's document, and its rows in the export of an account: `salesTeams`. */
export const moduleOf = ({ name }: Pick<AnyFeature, "name">): string =>
  name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Why features can't be used together with each other and the product, whose modules are `modules`; `null` when they can. */
export const featureComplaint = (
  features: readonly AnyFeature[],
  modules: readonly string[],
): string | null => {
  for (const [at, feature] of features.entries()) {
    const complaint = complaintAbout(feature, modules);
    if (complaint !== null) return `The feature "${feature.name}" can't be used: ${complaint}`;
    if (features.findIndex((other) => moduleOf(other) === moduleOf(feature)) < at)
      return `Two features in src/plugins/own.ts are named "${feature.name}"`;
  }
  return null;
};

/** Why no feature can have a name, beside the product's `modules`; `null` when one can. */
export const nameComplaint = (name: string, modules: readonly string[]): string | null => {
  if (!pluginNamePattern.test(name))
    return "its name needs 2 to 40 lowercase letters, digits and hyphens, and begins with a letter";
  return reserved.has(name) || modules.includes(moduleOf({ name }))
    ? "Atrium uses this name itself; choose another one"
    : null;
};

const complaintAbout = (feature: AnyFeature, modules: readonly string[]): string | null => {
  const { name, contract, commands } = feature;
  const complaint = nameComplaint(name, modules);
  if (complaint !== null) return complaint;
  if (feature.settings !== undefined && feature.settings.name !== name)
    return `its settings are named "${feature.settings.name}"`;
  const operations = Object.values(contract);
  const stray = operations.find(
    ({ endpoint }) => !`${endpoint}/`.replace(/^\w+ /, "").startsWith(`/api/${name}/`),
  );
  if (stray !== undefined) return `${stray.endpoint} is not below /api/${name}`;
  const typed = operations.find((operation) => operation.commands !== undefined);
  return typed === undefined || commands !== undefined
    ? null
    : `${typed.endpoint} has a command, so defineFeature needs "commands", which says what they are about`;
};

const reserved: ReadonlySet<string> = new Set<string>([
  ...reservedPluginNames,
  ...reservedCommandWords,
  ...shippedPluginNames,
  // What "bun run atrium" does only in a clone, sections of settings, and the list in src/plugins/own.ts.
  ...["app", "init", "make", "sample", "accounts", "credentials", "site", "own"],
]);

/**
 * A field that people fill in: `text` is one line, `long` several, `url` begins with `https://` or `http://`, and a `choice` is one of
 * `options`, which have their names. Without `isRequired` it may be empty, which is `null`; a `boolean` never is.
 */
export type FeatureField = { label: string; isRequired?: true } & (
  | { kind: "text" | "long" | "number" | "date" | "boolean" | "email" | "url" }
  | { kind: "choice"; options: { readonly [value: string]: string } }
);

/** The fields of what a feature keeps. Its schemas, form, lists and files follow from them; its table has a column for each. */
export type FeatureFields = { readonly [name: string]: FeatureField };

type Filled<F> = F extends { kind: "choice"; options: infer O }
  ? keyof O & string
  : F extends { kind: "number" }
    ? number
    : F extends { kind: "boolean" }
      ? boolean
      : string;

type ValueOf<F> = F extends { isRequired: true } | { kind: "boolean" } ? Filled<F> : Filled<F> | null;

/** The values of fields. */
export type FieldValues<F extends FeatureFields> = { -readonly [Name in keyof F]: ValueOf<F[Name]> };

/** The most characters that a field holds. */
export const fieldLengths = { text: 200, long: 10_000, url: 2_000, email: 254 } as const;

/** What is said of a value that a field can't have. */
export const fieldComplaints: { readonly [Kind in FeatureField["kind"]]: string } = {
  text: `Please enter a text of at most ${fieldLengths.text} characters in one line`,
  long: `Please enter a text of at most ${fieldLengths.long.toLocaleString("en")} characters`,
  number: "Please enter a number",
  date: "Please enter a date",
  boolean: "Please choose yes or no",
  choice: "Please choose one of the options",
  email: "Please enter an email address such as ada@b.example",
  url: "Please enter an address that begins with https:// or http://",
};

/** Whether a text is the address of a web page, so that a link to it runs nothing. */
export const isWebAddress = (text: string): boolean =>
  text.length <= fieldLengths.url && /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);

/** The schemas of fields, for requests and responses. */
export const fieldSchemas = <const F extends FeatureFields>(kit: Kit, fields: F): SchemasOf<F> => {
  const schemas = Object.entries(fields).map(([name, field]) => {
    const schema = schemaOf(kit, field);
    const isFilled = field.isRequired === true || field.kind === "boolean";
    return [name, isFilled ? schema : kit.nullable(schema, { error: fieldComplaints[field.kind] })];
  });
  // Each is the schema of its field's values.
  return Object.fromEntries(schemas) as SchemasOf<F>;
};

type SchemasOf<F extends FeatureFields> = { -readonly [Name in keyof F]: TUnsafe<ValueOf<F[Name]>> };

const schemaOf = (kit: Kit, field: FeatureField) => {
  const { kind, label: description } = field;
  const error = fieldComplaints[kind];
  switch (kind) {
    case "text":
      return kit.line({ most: fieldLengths.text, description, error });
    case "long":
      return kit.text({ most: fieldLengths.long, pattern: "\\S", description, error });
    case "number":
      return kit.number({ description, error });
    case "date":
      return kit.text({ format: "date", description, error });
    case "boolean":
      return kit.flag({ description, error });
    case "choice":
      return kit.choice(Object.keys(field.options), { description, error });
    case "email":
      return kit.checkedText("atrium-email", (text) => (emailComplaint(text) === null ? null : error), {
        ...{ description, minLength: 5, maxLength: fieldLengths.email },
      });
    case "url":
      return kit.checkedText("atrium-web-address", (text) => (isWebAddress(text) ? null : error), {
        ...{ description, minLength: 10, maxLength: fieldLengths.url },
      });
  }
};

/** The columns of fields in the tables of commands: all but long texts. */
export const fieldColumns = (fields: FeatureFields): { title: string; field: string }[] =>
  Object.entries(fields).flatMap(([field, { kind, label: title }]) =>
    kind === "long" ? [] : [{ title, field }],
  );

/** The names of fields with texts, in which a search looks. */
export const textFieldsOf = (fields: FeatureFields): string[] =>
  Object.keys(fields).filter((name) => Object.hasOwn(fieldLengths, fields[name]?.kind ?? ""));

/** The names of fields, in their order. */
export const namesOf = <F extends FeatureFields>(fields: F) => Object.keys(fields) as (keyof F & string)[];

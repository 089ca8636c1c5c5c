import type { TSchema, TUnsafe } from "@sinclair/typebox";
import type { Kit } from "#api/modules/kit.ts";
import { isLongerThan } from "./account-rules.ts";
import {
  defineSettings,
  hasPath,
  type SecretSetting,
  type Setting,
  type SettingsSection,
  secret,
  storedValues,
} from "./define-settings.ts";
import type { Operation } from "./operation.ts";
import { ownOperation } from "./own-operation.ts";
import { changesOf, sectionOfFeature } from "./settings.ts";

/** The settings of a feature: a flat section that is named after it. Its secrets belong to no endpoint. */
export type FeatureSettings<Values extends object = object> = SettingsSection<string, Values>;

type Fields = { readonly [name: string]: Exclude<Setting, { kind: "endpoint" }> };

/** Declares the settings of the feature `name`; admins change them, and `settingsOf(ctx, …)` has their values. */
export const featureSettings = <const Name extends string, const F extends Fields>(name: Name, fields: F) =>
  defineSettings(name, fields);

/** A secret of a feature: stored encrypted, used by the server, and never returned. */
export const featureSecret = ({
  max = 500,
  ...facts
}: {
  label: string;
  hint?: string;
  max?: number;
}): SecretSetting =>
  secret({
    ...facts,
    readsEmpty: false,
    documented: { maxLength: max },
    complaint: (text) => (isLongerThan(text, max) ? `Please use at most ${max} characters` : null),
  });

type Secrets<V> = { [Name in keyof V & string]: null extends V[Name] ? Name : never }[keyof V & string];

/** What is told of them: of secrets, only whether there are any. */
export type ToldSettings<V> = { [Name in Exclude<keyof V & string, Secrets<V>>]: V[Name] } & {
  [Name in Secrets<V> as `has${Capitalize<Name>}`]: boolean;
};

/** The names of its secrets. */
export const secretsOf = ({ settings }: FeatureSettings): string[] =>
  settings.flatMap(([name, { kind }]) => (kind === "secret" ? [name] : []));

/** What is stored of all features: their values by their names, and their opened secrets by section and name. */
export type FeatureRows = {
  readonly values: { readonly [feature: string]: unknown };
  readonly secrets: { readonly [name: string]: string | null };
};

/** The values of a feature as they are stored; what isn't has its default, and a secret is `null`. */
export const valuesOfFeature = <V extends object>(section: FeatureSettings<V>, rows: FeatureRows): V => {
  const values = storedValues(section, rows.values[section.name]) ?? section.defaults;
  const secrets = secretsOf(section).map((name) => [
    name,
    rows.secrets[`${sectionOfFeature(section.name)}.${name}`] ?? null,
  ]);
  return { ...values, ...Object.fromEntries(secrets) };
};

/** What is told of values. */
export const toldSettings = <V extends object>(section: FeatureSettings<V>, values: V): ToldSettings<V> => {
  const secrets = new Set(secretsOf(section));
  const told = Object.entries(values).map(([name, value]) =>
    secrets.has(name) ? [hasPath(name), value !== null] : [name, value],
  );
  // As the type says.
  return Object.fromEntries(told) as ToldSettings<V>;
};

/** The operations with which admins read and change them. */
export const settingsOperations = <Name extends string, V extends object>(
  section: SettingsSection<Name, V>,
) => {
  const { name } = section;
  const about = name.replaceAll("-", " ");
  const told = (kit: Kit) => {
    const secrets = secretsOf(section);
    const { properties } = kit.values(section) as unknown as { properties: Record<string, TSchema> };
    const shown = Object.entries(properties).map(([own, schema]): [string, TSchema] =>
      secrets.includes(own) ? [hasPath(own), kit.flag()] : [own, schema],
    );
    // The properties are those of the section, and the type is made of its values.
    return kit.object(Object.fromEntries(shown)) as unknown as TUnsafe<ToldSettings<V>>;
  };
  return {
    settings: ownOperation(`GET /api/${name}/settings`, {
      access: "admin",
      responds: "data",
      schemas: (kit) => ({ answer: told(kit) }),
      summary: `Read the settings of ${about}`,
      description: "Secrets are never returned; their `has…` says whether one is stored.",
      example: {},
    }),
    setSettings: ownOperation(`PUT /api/${name}/settings`, {
      access: "admin",
      proof: "recent",
      changes: true,
      isRepeatable: true,
      probe: { body: { nothing: {} }, status: 422 },
      responds: "message",
      schemas: (kit) => ({ body: kit.change(section), answer: told(kit) }),
      summary: `Change the settings of ${about}`,
      would: (done) => `Would ${changesOf(name, done)}`,
      description:
        "Fields that are left out stay as they are; of a secret, an empty text keeps it and `null` removes it.",
      example: {},
    }),
  } satisfies { [name: string]: Operation };
};

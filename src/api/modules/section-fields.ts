import type { Static, TObject, TOptional, TSchema, TUnsafe } from "@sinclair/typebox";
import { t } from "elysia";
import {
  type ChangeOf,
  colorPattern,
  type Fields,
  hasPath,
  isSetting,
  lengthOf,
  pagePattern,
  refusalOf,
  type SecretSetting,
  type Setting,
  type SettingsSection,
} from "#contract/define-settings.ts";
import type { DocumentedLimits } from "#contract/limits.ts";
import { imagePattern } from "#contract/site-images.ts";

type Section<Values extends object> = Pick<SettingsSection<string, Values>, "fields" | "defaults">;
type Change<Values> = {
  [Name in keyof Values & string]: TOptional<TUnsafe<Exclude<ChangeOf<Values>[Name], undefined>>>;
};

/**
 * The values of a section of settings in a response. Their type is the declaration's; the schema built from it checks
 * the same. `more` adds fields.
 */
export const sectionValues = <
  Values extends object,
  M extends Record<string, TSchema> = Record<never, never>,
>(
  { fields }: Section<Values>,
  more?: M,
): TUnsafe<Values & Static<TObject<M>>> =>
  t.Unsafe<Values & Static<TObject<M>>>(t.Object({ ...objectOf(fields, false).properties, ...more }));

/** A change of a section of settings: absent fields stay. */
export const sectionChange = <Values extends object>({
  fields,
}: Section<Values>): TObject<Change<Values>> => {
  const change: unknown = objectOf(fields, true);
  // As above: the type is the declaration's.
  return change as TObject<Change<Values>>;
};

type ToldGroup<G> = {
  -readonly [Name in keyof G as G[Name] extends SecretSetting<false>
    ? never
    : Name]: G[Name] extends SecretSetting ? "" : string;
} & {
  -readonly [Name in keyof G & string as G[Name] extends SecretSetting
    ? `has${Capitalize<Name>}`
    : never]: boolean;
};
type More = { readonly [group: string]: Record<string, TSchema> };
type Told<F, M extends More> = {
  -readonly [Name in keyof F]: ToldGroup<F[Name]> &
    (Name extends keyof M ? Static<TObject<M[Name]>> : unknown);
};

/** A section of services in a response: of secrets, only whether there are any. `more` adds fields to a group. */
export const sectionTold = <const F extends Fields, const M extends More>(
  { fields }: { fields: F },
  more: M,
): TUnsafe<Told<F, M>> => {
  const groups = Object.entries<Fields[string]>(fields).flatMap(([name, group]) => {
    if (isSetting(group)) return [];
    const members = Object.entries(group);
    const told = members.flatMap(([own, setting]): [string, TSchema][] => {
      if (setting.kind !== "secret") return [[own, t.String()]];
      return setting.readsEmpty ? [[own, t.Literal("", { description: "Never told" })]] : [];
    });
    const has = members.flatMap(([own, { kind }]): [string, TSchema][] =>
      kind === "secret" ? [[hasPath(own), t.Boolean()]] : [],
    );
    return [[name, t.Object({ ...Object.fromEntries([...told, ...has]), ...more[name] })]];
  });
  return t.Unsafe<Told<F, M>>(t.Object(Object.fromEntries(groups)));
};

const objectOf = (fields: Fields, isChange: boolean): TObject => {
  const members = Object.entries(fields).map(([name, field]) => {
    const schema = isSetting(field) ? schemaOf(field) : objectOf(field, isChange);
    return [name, isChange ? t.Optional(schema) : schema];
  });
  return t.Object(Object.fromEntries(members), isChange ? { additionalProperties: false } : {});
};

const schemaOf = (setting: Setting): TSchema => {
  const { label, description = setting.hint ?? label } = setting;
  const error = refusalOf(setting);
  switch (setting.kind) {
    case "integer": {
      const { min: minimum, max: maximum } = setting;
      return t.Number({
        description: setting.description ?? `A whole number from ${minimum} to ${maximum}`,
        documented: { type: "integer", minimum, maximum } satisfies DocumentedLimits,
        error,
      });
    }
    case "duration":
      return t.Number({
        description: setting.description ?? `One of ${setting.options.join(", ")}`,
        documented: { type: "integer", enum: setting.options } satisfies DocumentedLimits,
        error,
      });
    case "choice": {
      // A choice with no options would not be declared.
      const words = Object.keys(setting.options) as [string, ...string[]];
      // The framework would give the first word to whoever leaves the field out.
      const { default: _, ...schema } = t.UnionEnum(words, { description, error });
      return schema;
    }
    case "switch":
      return t.Boolean({ description, error });
    case "text":
      return t.String({
        description: `${setting.description ?? label}, ${lengthOf(setting)} characters`,
        documented: {
          minLength: setting.mayBeEmpty ? 0 : 1,
          maxLength: setting.max,
        } satisfies DocumentedLimits,
        error,
      });
    case "color":
      return t.String({
        description,
        documented: { pattern: colorPattern.source } satisfies DocumentedLimits,
        error,
      });
    case "page":
      return t.String({
        description,
        documented: {
          pattern: `^(?:${Object.keys(setting.options).join("|")}|${pagePattern.source.slice(1, -1)})$`,
        } satisfies DocumentedLimits,
        error,
      });
    case "image":
      return t.String({
        description: `${description}. Empty for none`,
        documented: { pattern: imagePattern.source } satisfies DocumentedLimits,
        error,
      });
    case "list":
      return t.Array(
        t.String({ documented: { pattern: setting.pattern.source } satisfies DocumentedLimits, error }),
        { description, maxItems: setting.most, error },
      );
    case "identifier":
    case "endpoint":
      return t.String({ description, documented: setting.documented, error });
    case "secret":
      return t.Nullable(
        t.String({
          description: `${description}. Absent or empty keeps the stored one, \`null\` removes it`,
          writeOnly: true,
          documented: setting.documented,
        }),
        { error },
      );
  }
};

import type { TObject, TOptional, TSchema, TUnsafe } from "@sinclair/typebox";
import { t } from "elysia";
import {
  type ChangeOf,
  isSetting,
  lengthOf,
  refusalOf,
  type Setting,
  type SettingsSection,
} from "#contract/define-settings.ts";
import type { Stated } from "#contract/stated.ts";

type Section<Values extends object> = Pick<SettingsSection<string, Values>, "fields" | "defaults">;
type Change<Values> = {
  [Name in keyof Values & string]: TOptional<TUnsafe<NonNullable<ChangeOf<Values>[Name]>>>;
};

/** The values of a section of settings, as they are answered. Their type is the declaration's; what is built of it checks the same. */
export const sectionValues = <Values extends object>({ fields }: Section<Values>): TUnsafe<Values> =>
  t.Unsafe<Values>(objectOf(fields, false));

/** A change of a section of settings: what is absent stays. */
export const sectionChange = <Values extends object>({
  fields,
}: Section<Values>): TObject<Change<Values>> => {
  const change: unknown = objectOf(fields, true);
  // As above: the type is the declaration's.
  return change as TObject<Change<Values>>;
};

const objectOf = (fields: SettingsSection["fields"], isChange: boolean): TObject => {
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
        stated: { type: "integer", minimum, maximum } satisfies Stated,
        error,
      });
    }
    case "duration":
      return t.Number({
        description: setting.description ?? `One of ${setting.options.join(", ")}`,
        stated: { type: "integer", enum: setting.options } satisfies Stated,
        error,
      });
    case "choice":
      // A choice without a choice would not be declared.
      return t.UnionEnum(Object.keys(setting.options) as [string, ...string[]], { description, error });
    case "switch":
      return t.Boolean({ description, error });
    case "text":
      return t.String({
        description: `${setting.description ?? label}, ${lengthOf(setting)} characters`,
        stated: { minLength: setting.mayBeEmpty ? 0 : 1, maxLength: setting.max } satisfies Stated,
        error,
      });
  }
};

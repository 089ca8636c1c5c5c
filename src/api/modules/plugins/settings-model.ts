import { t } from "elysia";
import { dataOf, done } from "#api/modules/fields.ts";

const anyFields = t.Record(t.String(), t.Unknown());

export const settingsBody = t.Object(
  {
    values: t.Record(t.String(), t.Unknown(), {
      description:
        "By name of the field. What is left out stays, `null` goes back to the default; of a secret an empty text keeps " +
        "what is stored, and `null` removes it",
      error: "Please give the fields and their values",
    }),
  },
  { additionalProperties: false },
);
const settings = t.Object({
  schema: t.Unknown({ description: "JSON Schema of the settings" }),
  values: anyFields,
  secrets: t.Record(t.String(), t.Boolean(), { description: "Whether each secret field is set" }),
});
export const settingsAnswer = dataOf(settings);
export const settingsChanged = done({ data: settings });

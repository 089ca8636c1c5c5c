import { t } from "elysia";
import { commandFormats, commandMethods, commandOptionTypes } from "#contract/plugin-commands-schema.ts";

const nullableText = t.Nullable(t.String());
const shownValue = t.Object({ title: t.String(), field: t.String(), format: t.UnionEnum(commandFormats) });
const command = t.Object({
  name: t.String(),
  summary: t.String(),
  description: t.String(),
  arguments: t.Array(t.Object({ name: t.String(), summary: t.String(), required: t.Boolean() })),
  options: t.Array(
    t.Object({
      name: t.String(),
      summary: t.String(),
      type: t.UnionEnum(commandOptionTypes),
      values: t.Array(t.String()),
      in: t.UnionEnum(["query", "body"]),
      field: t.String(),
    }),
  ),
  call: t.Object({
    method: t.UnionEnum(commandMethods),
    path: t.String({ description: "Below `/api/{plugin}`" }),
    body: t.Record(t.String(), t.Union([t.String(), t.Number(), t.Boolean(), t.Null()])),
  }),
  input: t.Nullable(t.Object({ field: t.String(), summary: t.String(), file: t.Boolean() })),
  confirm: nullableText,
  output: t.Union([
    t.Object({ message: t.String() }),
    t.Object({ table: t.Object({ rows: nullableText, columns: t.Array(shownValue), empty: nullableText }) }),
    t.Object({ fields: t.Array(shownValue) }),
  ]),
  examples: t.Array(t.Object({ summary: t.String(), typed: t.String() })),
});
/** A plugin's terminal commands. */
export const pluginCommands = t.Object(
  { word: t.String(), summary: t.String(), list: t.Array(command) },
  { description: "What it adds to the command line" },
);

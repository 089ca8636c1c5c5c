import type { Kit } from "#api/modules/kit.ts";
import { commandFormats, commandMethods, commandOptionTypes } from "#contract/plugin-commands-schema.ts";
import { someText } from "./parts.ts";

const shownValue = (kit: Kit) =>
  kit.object({ title: kit.text(), field: kit.text(), format: kit.oneOf(commandFormats) });

const command = (kit: Kit) =>
  kit.object({
    name: kit.text(),
    summary: kit.text(),
    description: kit.text(),
    arguments: kit.list(kit.object({ name: kit.text(), summary: kit.text(), required: kit.flag() })),
    options: kit.list(
      kit.object({
        name: kit.text(),
        summary: kit.text(),
        type: kit.oneOf(commandOptionTypes),
        values: kit.list(kit.text()),
        in: kit.oneOf(["query", "body"]),
        field: kit.text(),
      }),
    ),
    call: kit.object({
      method: kit.oneOf(commandMethods),
      path: kit.text({ description: "Below `/api/{plugin}`" }),
      body: kit.record(kit.either([kit.text(), kit.number(), kit.flag(), kit.nothing])),
    }),
    input: kit.nullable(kit.object({ field: kit.text(), summary: kit.text(), file: kit.flag() })),
    confirm: someText(kit),
    output: kit.either([
      kit.object({ message: kit.text() }),
      kit.object({
        table: kit.object({
          rows: someText(kit),
          columns: kit.list(shownValue(kit)),
          empty: someText(kit),
        }),
      }),
      kit.object({ fields: kit.list(shownValue(kit)) }),
    ]),
    examples: kit.list(kit.object({ summary: kit.text(), typed: kit.text() })),
  });

/** A plugin's terminal commands. */
export const pluginCommands = (kit: Kit) =>
  kit.object(
    { word: kit.text(), summary: kit.text(), list: kit.list(command(kit)) },
    { description: "What it adds to the command line" },
  );

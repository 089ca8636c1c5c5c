import type { Context } from "#api/core/context.ts";
import { readCatalogue } from "./catalogue.ts";

/** Names of the enabled plugins, in their order. */
export const listEnabled = async ({ db }: Pick<Context, "db">): Promise<string[]> =>
  [...(await readCatalogue(db)).installed.values()].flatMap(({ row }) => (row.isEnabled ? [row.name] : []));

/** Whether one of them stands before every request: the core's `manager`, or whoever may have rules for that. */
export const anyGuards = async ({ db }: Pick<Context, "db">, manager: string): Promise<boolean> =>
  [...(await readCatalogue(db)).installed.values()].some(
    ({ row }) =>
      row.isEnabled && (row.name === manager || row.granted.some(({ name }) => name === "request.rules")),
  );

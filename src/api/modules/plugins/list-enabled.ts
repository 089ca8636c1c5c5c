import type { Context } from "#api/core/context.ts";
import { readCatalogue } from "./catalogue.ts";

/** Names of the enabled plugins, in their order. */
export const listEnabled = async ({ db }: Pick<Context, "db">): Promise<string[]> =>
  [...(await readCatalogue(db)).installed.values()].flatMap(({ row }) => (row.isEnabled ? [row.name] : []));

import { join } from "node:path";
import { UnfitDatabaseError } from "./embedded/errors.ts";
import type { JournalEntry, Program } from "./migration-journal.ts";

/** The schema of PostgreSQL that holds the tables of own features. */
export const ownSchema = "app";

/**
 * Runs `apply`, which applies the pending migrations of own features. Throws an `UnfitDatabaseError` that names the file and the
 * statement which failed, or the table that one would make outside of the schema `app`, where no backup would find it; what the
 * product's own migrations did stays.
 */
export const migrateOwn = async (
  { ownMigrations }: Program,
  pending: readonly JournalEntry[],
  apply: () => Promise<void>,
): Promise<void> => {
  const files = await Promise.all(
    pending.map(async ({ tag }) => ({
      name: `drizzle/own/${tag}.sql`,
      text: await Bun.file(join(ownMigrations, `${tag}.sql`)).text(),
    })),
  );
  for (const { name, text } of files) {
    const [statement] = text.match(strayTable) ?? [];
    if (statement !== undefined)
      throw new UnfitDatabaseError(
        `${name} creates a table outside of the schema "${ownSchema}", where no backup would find it: ${statement}. Declare it with pgSchema("${ownSchema}") and generate the migration again`,
      );
  }
  try {
    await apply();
  } catch (error) {
    const { query, cause } = { query: null, cause: null, ...Object(error) };
    const file = files.find(({ text }) => typeof query === "string" && text.includes(query.trim()));
    if (file === undefined) throw error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnfitDatabaseError(
      `${file.name} failed, and none of the pending migrations of own features was applied: ${reason}. The statement: ${query.trim().slice(0, 300)}`,
    );
  }
};

const strayTable = /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(?!"?app"?\.)[\w."]+/i;

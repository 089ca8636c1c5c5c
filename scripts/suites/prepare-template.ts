import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { PostgresServer } from "../../tests/services/postgres.ts";
import { runChecked } from "../../tests/services/run-checked.ts";
import { projectRoot } from "../project-root.ts";

/**
 * Makes an empty database with all migrations applied, by the product's own command, and freezes it for copying. Resolves
 * to its name.
 */
export const prepareTemplate = async (server: PostgresServer): Promise<string> => {
  const url = await server.createDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "atrium-template-"));
  try {
    const settings = ["env", `DATABASE_URL=${url}`, `DATA_DIR=${dataDir}`];
    runChecked([...settings, process.execPath, "src/cli/main.ts", "migrate"], projectRoot);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
  await empty(url);
  const name = new URL(url).pathname.slice(1);
  await server.freeze(name);
  return name;
};

/** The command notes its version, and tests begin with a database that no program has opened yet. */
const empty = async (url: string): Promise<void> => {
  const client = postgres(url, { max: 1 });
  await client`delete from installation`;
  await client.end();
};

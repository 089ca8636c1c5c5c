import type { Command } from "commander";
import { openRunning } from "#cli/client/client.ts";
import type { Composition, MigrationState } from "#cli/composition.ts";
import { type Cli, examples, type GlobalOptions, handler, refuseRemote } from "#cli/invocation.ts";
import { Planned, planOption } from "#cli/planned.ts";
import { formatMinute } from "#cli/terminal/format.ts";
import type { Style } from "#cli/terminal/output.ts";
import { createProgress, duringStep } from "#cli/terminal/progress.ts";
import { formatTable } from "#cli/terminal/table.ts";
import { addMigrateEmbeddedToPostgresCommand } from "./migrate-embedded-to-postgres.ts";

type MigrateOptions = GlobalOptions & { status?: true };

/** What `migrate` found or did. While a server holds the embedded database, its migrations cannot be listed. */
type MigrateResult = {
  isServerRunning: boolean;
  applied: string[];
  pending: number;
  migrations: MigrationState[];
};

/** `migrate`: brings the database to this version's schema, or says how far it is. */
export const addMigrateCommand = (program: Command, cli: Cli): void => {
  const command = program
    .command("migrate")
    .summary("apply pending database migrations")
    .description(
      "Applies pending migrations. The server does the same when it starts, so use this to " +
        "migrate before starting it. The embedded database must not be in use; a server that runs on it has already migrated it.",
    )
    .option("--status", "list the migrations and when each was applied, without changing anything")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Apply pending migrations", "atrium migrate"],
        ["See which are pending", "atrium migrate --status"],
        [
          "Fail a deployment while migrations are pending",
          "test $(atrium migrate --status --json | jq .pending) = 0",
        ],
      ),
    )
    .action(
      handler<MigrateOptions>(cli, async ({ composition, output, isPlan, terminal }, options) => {
        refuseRemote(options, "migrate");
        const isStatus = isPlan || options.status === true;
        const work = () => resultOf(composition, isStatus);
        const progress = createProgress(terminal);
        const result = isStatus ? await work() : await duringStep(progress, "applying migrations", work);
        if (isPlan) throw new Planned({ words: planText(result), call: null });
        output.result(result, options.status ? statusText : migrateText);
      }),
    );
  addMigrateEmbeddedToPostgresCommand(command, cli);
};

const planText = ({ isServerRunning, migrations }: MigrateResult): string => {
  const names = migrations.filter(({ appliedAt }) => appliedAt === null).map(({ name }) => name);
  if (isServerRunning) return "Would change nothing: the running server has applied all migrations";
  return names.length === 0
    ? "Would change nothing: all migrations are applied"
    : `Would apply ${names.length} migrations: ${names.join(", ")}`;
};

const resultOf = async (composition: Composition, isStatus: boolean): Promise<MigrateResult> => {
  if (composition.config().databaseUrl === null && (await isServedAlready(composition))) {
    return { isServerRunning: true, applied: [], pending: 0, migrations: [] };
  }
  const { applied, migrations } = isStatus
    ? { applied: [], migrations: await statesOf(composition) }
    : await composition.migrate();
  const pending = migrations.filter(({ appliedAt }) => appliedAt === null).length;
  return { isServerRunning: false, applied, pending, migrations };
};

const statesOf = async (composition: Composition): Promise<MigrationState[]> =>
  composition.hasDatabase()
    ? (await composition.inspectDatabase()).migrations
    : composition.migrationsOfNewDatabase();

/** Whether a server has opened, and so migrated, the embedded database. Throws what its readiness says against it. */
const isServedAlready = async (composition: Composition): Promise<boolean> => {
  const client = await openRunning(composition, null);
  if (client === null) return false;
  await client.ready();
  return true;
};

const served = "A server is running on this data folder; it applied all migrations when it started.";

const migrateText = ({ isServerRunning, applied }: MigrateResult): string => {
  if (isServerRunning) return served;
  if (applied.length === 0) return "The database is up to date.";
  return applied.map((name) => `Applied ${name}`).join("\n");
};

const statusText = ({ isServerRunning, migrations }: MigrateResult, style: Style): string =>
  isServerRunning
    ? served
    : formatTable<MigrationState>(
        [
          { heading: "MIGRATION", cell: ({ name }) => name },
          {
            heading: "APPLIED",
            // With the offset of the database's own time zone.
            cell: ({ appliedAt }) =>
              appliedAt === null ? "pending" : formatMinute(new Date(appliedAt).toISOString()),
            paint: (text, { appliedAt }) => (appliedAt === null ? style.yellow(text) : text),
          },
        ],
        migrations,
        style,
      );

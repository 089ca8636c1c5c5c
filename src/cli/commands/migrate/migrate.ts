import type { Command } from "commander";
import type { MoveProgress, MoveReport } from "#api/backups/move-to-postgres.ts";
import type { MovePlan } from "#api/backups/plan-move.ts";
import { openRunning } from "#cli/client/client.ts";
import type { Composition, MigrationState } from "#cli/composition.ts";
import { type Cli, examples, type GlobalOptions, type Invocation, localHandler } from "#cli/invocation.ts";
import { Planned, planOption } from "#cli/planned.ts";
import { formatBytes, formatCount, formatDuration, formatMinute } from "#cli/terminal/format.ts";
import type { Style } from "#cli/terminal/output.ts";
import { createProgress, duringStep, type Progress, progressBar } from "#cli/terminal/progress.ts";
import { formatFacts, formatTable } from "#cli/terminal/table.ts";
import { CliFailure, usage } from "../../failure.ts";
import type { Terminal } from "../../terminal/terminal.ts";

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
      localHandler<MigrateOptions>(cli, async ({ composition, output, isPlan, terminal }, options) => {
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

type MoveOptions = GlobalOptions & TargetOptions & { plan?: true };

/** `migrate embedded-to-postgres`: brings an installation's data to a PostgreSQL server. */
const addMigrateEmbeddedToPostgresCommand = (group: Command, cli: Cli): void => {
  group
    .command("embedded-to-postgres")
    .summary("move the embedded database to a PostgreSQL server")
    .description(
      "Copies everything in the embedded database to an empty database of a PostgreSQL server, and verifies the copy, the " +
        "activity log and the key. The server must be stopped. The data folder stays, with a marker that keeps its database " +
        "from being used again by mistake. If the move fails, the target is emptied; if that is not possible, it can't be used until you " +
        "run the command again. The address comes from DATABASE_URL or from an option.",
    )
    .option("--plan", "show what would be moved where and what prevents it, without changing anything")
    .option("--to <address>", "the server's address without the password, which you are asked for")
    .option("--to-stdin", "read the server's address with its password from standard input")
    .addHelpText(
      "after",
      examples(
        ["Preview the move", "atrium migrate embedded-to-postgres --plan --to postgres://atrium@db/atrium"],
        ["Move to the server in DATABASE_URL", "atrium migrate embedded-to-postgres"],
        ["Read the address from a file", "atrium migrate embedded-to-postgres --to-stdin < database-url"],
      ),
    )
    .action(
      localHandler<MoveOptions>(cli, async (invocation, options) => {
        const url = await targetUrlFrom(invocation.terminal, options);
        if (options.plan) await showPlan(invocation, url);
        else await move(invocation, url);
      }),
    );
};

const showPlan = async ({ composition, output }: Invocation, url: string): Promise<void> => {
  const plan = await composition.planMove(url);
  output.result(plan, movePlanText);
  if (plan.obstacle !== null) throw new CliFailure("TRANSFER_IMPOSSIBLE", plan.obstacle);
};

const move = async ({ composition, output, terminal }: Invocation, url: string): Promise<void> => {
  const progress = createProgress(terminal);
  const tell = progress.isShown ? teller(progress.show) : liner(output.note);
  const report = await terminal
    .interruptible((ended) =>
      composition.moveToPostgres(url, {
        ended,
        onPlan: ({ from, to, rows, bytes, brokenOffAt }) => {
          output.note(
            `Moving ${formatCount(rows)} rows (${formatBytes(bytes)}) from ${from.dataDir} to ${to.address}, PostgreSQL ${to.version}`,
          );
          if (brokenOffAt !== null)
            output.note(
              `An earlier move, started at ${brokenOffAt}, was interrupted; its data is removed from the target first`,
            );
        },
        onProgress: tell,
        onBroken: (isEmptied) => {
          progress.end();
          output.note(isEmptied ? emptied : notEmptied);
        },
      }),
    )
    .finally(progress.end);
  output.result(report, reportText);
};

const emptied = "The target is empty again, and the embedded database is unchanged.";
const notEmptied =
  "The target could not be emptied: no server can start on it until you run this command again, which empties it. The embedded database is unchanged.";

/** One line that is written over and over, with a speed and the time that is left. */
const teller = (show: Progress["show"]) => {
  const begun = performance.now();
  let last = "";
  return ({ step, table, rows, totalRows }: MoveProgress): void => {
    // A step that counts something is the same one at each count.
    const [name = step] = step.split(" (");
    const isStep = table === null && name !== last;
    last = name;
    show(
      () => {
        if (table === null) return step;
        const perSecond = (rows / Math.max(1, performance.now() - begun)) * 1000;
        const leftS = Math.round((totalRows - rows) / Math.max(1, perSecond));
        const share = totalRows === 0 ? 1 : rows / totalRows;
        return `${progressBar(share)}  ${table}  ${formatCount(Math.round(perSecond))} rows/s, ${formatDuration(leftS)} left`;
      },
      { isStep },
    );
  };
};

/** A line for each table once it is through, and for each step after that. */
const liner = (note: (text: string) => void) => {
  let last: MoveProgress | null = null;
  return (progress: MoveProgress): void => {
    if (last?.table && last.table !== progress.table)
      note(`${last.table}: ${formatCount(last.tableRows)} rows`);
    if (progress.table === null && progress.step !== last?.step && !/^proving/.test(last?.step ?? ""))
      note(progress.step);
    last = progress;
  };
};

const movePlanText = (
  { from, to, tables, rows, bytes, obstacle, brokenOffAt }: MovePlan,
  style: Style,
): string =>
  [
    formatFacts(
      [
        ["From", `${from.dataDir}, PostgreSQL ${from.version}, ${formatBytes(from.sizeBytes)}`],
        ["To", `${to.address}, PostgreSQL ${to.version}`],
        ["Target", targetText(obstacle, brokenOffAt)],
        ["Rows", `${formatCount(rows)}, ${formatBytes(bytes)}`],
      ],
      style,
    ),
    formatTable(
      [
        { heading: "TABLE", cell: ({ table }) => table },
        { heading: "ROWS", cell: (size) => formatCount(size.rows) },
        { heading: "SIZE", cell: (size) => formatBytes(size.bytes) },
      ],
      tables,
      style,
    ),
  ].join("\n\n");

const targetText = (obstacle: string | null, brokenOffAt: string | null): string => {
  if (obstacle !== null) return "not possible";
  return brokenOffAt === null ? "empty" : `contains data of an interrupted move, started at ${brokenOffAt}`;
};

const reportText = (
  { to, tables, rows, checked, durationMs, rowsPerSecond, keep }: MoveReport,
  style: Style,
): string =>
  [
    formatFacts(
      [
        ["Moved", `${formatCount(rows)} rows of ${tables.length} tables to ${to}`],
        [
          "Time",
          `${formatDuration(Math.round(durationMs / 1000))}, ${formatCount(rowsPerSecond)} rows/s copied`,
        ],
        ["Counted", "every table has the same number of rows as before"],
        ["Activity log", `${formatCount(checked)} activities verified, complete to the end`],
        ["Secrets", "can be decrypted with this installation's key"],
      ],
      style,
    ),
    `Set DATABASE_URL to the new server, then start Atrium.${keep.length > 0 ? ` Keep ${keep.join(", ")} in the data folder: the server still needs it.` : ""}`,
  ].join("\n\n");

/** Where the address of a database comes from. */
type TargetOptions = { to?: string; toStdin?: true };

/**
 * The address of a database with its password: from standard input, or from an argument that holds no password, for which a
 * terminal is asked, or else from `DATABASE_URL`. Throws `USAGE`.
 */
const targetUrlFrom = async (terminal: Terminal, { to, toStdin }: TargetOptions): Promise<string> => {
  if (to !== undefined && toStdin) throw usage("use either --to or --to-stdin, not both");
  if (toStdin) return new TextDecoder().decode(await terminal.readInput()).trim();
  if (to !== undefined) return withPassword(terminal, to);
  const url = terminal.env.DATABASE_URL ?? "";
  if (url === "") throw usage("give the server's address in DATABASE_URL, with --to or with --to-stdin");
  return url;
};

const withPassword = async (terminal: Terminal, to: string): Promise<string> => {
  const url = URL.parse(to);
  if (url === null || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw usage("--to must be a URL such as postgres://user@host:5432/database");
  // Others on the machine can read arguments, and the shell's history keeps them.
  const isNamed = [...url.searchParams].flat().some((text) => /password/i.test(text));
  if (url.password !== "" || isNamed)
    throw usage(
      "--to must not contain a password: give the whole address with --to-stdin or in DATABASE_URL",
    );
  if (!terminal.isInputTerminal) return to;
  url.password = encodeURIComponent(
    await terminal.askSecret(
      `Password for ${decodeURIComponent(url.username)} at ${url.host} (empty for none)`,
    ),
  );
  return url.href;
};

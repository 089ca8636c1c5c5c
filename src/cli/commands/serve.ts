import type { Command } from "commander";
import { type Cli, examples, localHandler } from "#cli/invocation.ts";
import { onStopSignal } from "#cli/terminal/stop-signal.ts";

/** `serve`: runs the server in the foreground until a signal ends it. */
export const addServeCommand = (program: Command, cli: Cli): void => {
  program
    .command("serve")
    .summary("run the server")
    .description(
      "Runs the server in the foreground: it migrates the database, and listens on HOST and PORT and on a control socket in " +
        "the data folder for other commands. The configuration comes from the environment and from .env in the " +
        "working directory; docs/configuration.md lists every variable. The first signal (SIGTERM, SIGINT) lets requests " +
        "in progress finish, for 10 seconds at most; a second one ends the server immediately.",
    )
    .option("--safe-mode", "start no plugins; their settings stay")
    .addHelpText(
      "after",
      examples(
        ["Serve on http://localhost:3000 with the embedded database in ./data", "atrium serve"],
        [
          "Serve a public site behind a proxy on this machine, with PostgreSQL",
          "APP_URL=https://atrium.example DATABASE_URL=postgres://atrium:…@db/atrium atrium serve",
        ],
        ["Repair an installation that a plugin disrupts", "atrium serve --safe-mode"],
        ["Use any free port and a separate data folder", "PORT=0 atrium serve --data-dir /tmp/try"],
      ),
    )
    .action(
      localHandler<{ safeMode?: true }>(cli, async ({ composition, terminal }, { safeMode }) => {
        const { stopped, endListening } = firstSignal();
        try {
          const server = await composition.startServer({
            isSafeMode: safeMode === true,
            onSetupLink: (link) => terminal.out(setupText(link)),
          });
          terminal.out(`atrium listening on ${server.url}\n`);
          await stopped;
          await server.stop();
        } finally {
          endListening();
        }
      }),
    );
};

/** `stopped` resolves at the first signal that asks for the end. SIGQUIT only asks: a watcher sends it that can't know whether the end was requested before. */
const firstSignal = (): { stopped: Promise<void>; endListening: () => void } => {
  const { promise: stopped, resolve } = Promise.withResolvers<void>();
  const ask = () => resolve();
  const endStopSignals = onStopSignal(ask);
  process.on("SIGQUIT", ask);
  const endListening = () => {
    endStopSignals();
    process.off("SIGQUIT", ask);
  };
  return { stopped, endListening };
};

const setupText = (link: string): string =>
  `\nThere are no accounts yet. Open this link within an hour to create the first administrator:\n\n  ${link}\n\n` +
  "The link works once. You can also run `atrium admin create`.\n\n";

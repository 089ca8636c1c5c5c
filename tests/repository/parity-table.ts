import { commandWords, coreOperations } from "#api/operations.ts";
import { declaredRoutes } from "#api/testing/declared-routes.ts";
import { startShippedPlugins } from "#api/testing/shipped-plugins.ts";

/**
 * One action of administrators: what it does, the API call of the web, and the command that does the same. `why`: no command
 * makes this very call; `command` does the same in another way, or is `null` where none is needed.
 */
export type ParityRow = { action: string; call: string; command: string | null; why?: string };

/** Every action of the admin area with its command, as contracts and the table of the other routes have them. */
export const parity: readonly ParityRow[] = [
  ...coreOperations.flatMap(({ module, operation: { endpoint: call, access, commands = [], calledBy } }) => [
    ...(access === "operator" ? [] : commands).map((command) => ({
      action: command.action ?? command.summary.replace(/^./, (first) => first.toUpperCase()),
      ...{ call, command: commandWords(module, command) },
    })),
    ...(calledBy === undefined ? [] : [{ ...calledBy, call }]),
  ]),
  ...Object.entries(declaredRoutes).flatMap(([call, { action }]) =>
    action === undefined ? [] : [{ ...action, call }],
  ),
];

const sameSwitches = "the plugin's settings are the same switches";

/** What commands do in another way than the pages of plugins. */
export const otherWays: Record<string, { command: string; why: string }> = {
  "GET /api/firewall/config": { command: "plugin settings get", why: sameSwitches },
  "PUT /api/firewall/config": { command: "plugin settings set", why: sameSwitches },
  "POST /api/firewall/bans": {
    command: "firewall deny",
    why: "with --for it denies an IP address temporarily",
  },
  "GET /api/web-performance-optimization/summary": {
    command: "performance show",
    why: "the same figures for the chosen days",
  },
  "GET /api/web-performance-optimization/switches": { command: "plugin settings get", why: sameSwitches },
  "PUT /api/web-performance-optimization/switches/:name": {
    command: "plugin settings set",
    why: sameSwitches,
  },
};

// It shows authors what a plugin can do, and administrates nothing.
const sample = "plugin-template";

type Shipped = Awaited<ReturnType<typeof startShippedPlugins>>;

/**
 * Every call that pages of shipped plugins make for administrators, as its route describes it, with the commands that the manifest has
 * for it; `api` makes any other.
 */
export const pluginParity = (plugins: Shipped): readonly ParityRow[] =>
  plugins
    .filter(({ manifest }) => manifest.name !== sample)
    .flatMap(({ manifest: { name: plugin, commands }, runtime }) =>
      runtime.registration.routes
        .filter(({ access }) => access === "admin")
        .flatMap(({ method, path, summary }): ParityRow[] => {
          const own = (commands?.list ?? []).filter(
            (one) => one.call.method === method && one.call.path === path,
          );
          const row = { action: summary ?? "", call: `${method} /api/${plugin}${path}` };
          const other = otherWays[row.call];
          if (other !== undefined) return [{ ...row, ...other }];
          if (own.length === 0) return [{ ...row, command: "api" }];
          return own.map(({ name }) => ({ ...row, command: `${commands?.word} ${name}` }));
        }),
    );

/** A table of actions as docs/cli-actions.md shows it; `bun tests/repository/parity-table.ts` prints that of the admin area, and that of plugins' pages. */
export const tableOf = (rows: readonly ParityRow[]): string =>
  [
    "| action | call | command |",
    "|---|---|---|",
    ...rows.map((row) => {
      const command = row.command === null ? "none" : `\`atrium ${row.command}\``;
      return `| ${row.action} | \`${row.call}\` | ${command}${"why" in row ? `: ${row.why}` : ""} |`;
    }),
  ].join("\n");

if (import.meta.main) {
  const plugins = await startShippedPlugins();
  console.log(`${tableOf(parity)}\n\n${tableOf(pluginParity(plugins))}`);
  await Promise.all(plugins.map(({ runtime }) => runtime.stop("shutdown")));
}

import { commandWords, coreOperations } from "#api/operations.ts";
import { declaredRoutes } from "#api/testing/declared-routes.ts";
import { startShippedPlugins } from "#api/testing/shipped-plugins.ts";
import { projectRoot } from "../../scripts/project-root.ts";

/**
 * One action of administrators: what it does, the API call of the web, and the command that does the same. `why`: no command
 * makes this very call; `command` does the same in another way, or is `null` where none is needed.
 */
export type ParityRow = { action: string; call: string; command: string | null; why?: string };

/** A command's summary as an action of the table. */
const asSentence = (summary: string): string => summary.replace(/^./, (first) => first.toUpperCase());

/** Every action of the admin area with its command, as contracts and the table of the other routes have them. */
export const parity: readonly ParityRow[] = [
  ...coreOperations.flatMap(({ module, operation: { endpoint: call, access, commands = [], calledBy } }) => [
    ...(access === "operator" ? [] : commands).map((command) => ({
      action: command.action ?? asSentence(command.summary),
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

const manyFields = "its fields are written as JSON";
const byId = "it takes only the ID";
const severalEntries = "the commands change one entry at a time";

/** Calls of plugins' pages that change something and have no command of their own: why `atrium api` is enough. */
export const withoutCommand: Record<string, string> = {
  "POST /api/firewall/confirm": "it proves that the page can still be reached",
  "POST /api/firewall/revert": "it happens automatically unless someone confirms the change",
  "PUT /api/firewall/addresses/:id": "remove the entry and add it again",
  "POST /api/firewall/addresses/delete": severalEntries,
  "POST /api/firewall/addresses/import": severalEntries,
  "PUT /api/firewall/countries": manyFields,
  "POST /api/firewall/rates": manyFields,
  "PUT /api/firewall/rates/:id": manyFields,
  "DELETE /api/firewall/rates/:id": byId,
  "POST /api/firewall/exemptions": manyFields,
  "PUT /api/firewall/exemptions/:id": manyFields,
  "DELETE /api/firewall/exemptions/:id": byId,
  "PUT /api/firewall/patterns": "it takes IDs and a switch",
  "PUT /api/firewall/patterns/:id": "it takes IDs and a switch",
  "DELETE /api/firewall/bans": severalEntries,
  "POST /api/firewall/replay": manyFields,
  "DELETE /api/firewall/replay/:id": byId,
  "DELETE /api/web-performance-optimization/report": "a measurement takes only seconds",
};

// It shows authors what a plugin can do, and administrates nothing.
const sample = "plugin-template";

type Shipped = Awaited<ReturnType<typeof startShippedPlugins>>;

/**
 * Every call that pages of shipped plugins make for administrators, with the commands that the manifest has for it and what they do;
 * `api` makes any other, which does what its route's summary says.
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
          const why = withoutCommand[row.call];
          if (own.length === 0) return [{ ...row, command: "api", ...(why === undefined ? {} : { why }) }];
          return own.map(({ name, summary: does }) => ({
            ...row,
            action: asSentence(does),
            command: `${commands?.word} ${name}`,
          }));
        }),
    );

/** A table of actions as docs/cli-actions.md shows it; `bun tests/repository/parity-table.ts` writes both into it. */
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
  const path = `${projectRoot}/docs/cli-actions.md`;
  const tables = [parity, pluginParity(plugins)].map(tableOf);
  const text = await Bun.file(path).text();
  await Bun.write(
    path,
    text.replace(/^\| action \|.*(?:\n\|.*)*/gm, (former) => tables.shift() ?? former),
  );
  await Promise.all(plugins.map(({ runtime }) => runtime.stop("shutdown")));
}

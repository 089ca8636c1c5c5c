import { commandWords, operations } from "#api/operations.ts";
import type { Operation } from "#contract/operation.ts";
import type { ApiCallName, ApiStreams } from "./client/api-calls.ts";

/** A call that some command makes. */
type CommandCall = ApiCallName | Operation["endpoint"] | `GET ${keyof ApiStreams}`;

/** One action of administrators: what it does, the API call of the web, and the command that does the same. */
export type ParityRow =
  | { action: string; call: CommandCall; command: string }
  /** No command makes this very call: `command` does the same in another way, or `null` with the reason why none is needed. */
  | { action: string; call: string; command: string | null; why: string };

/** The actions that a module's contract has. */
const actionsOf = (module: string): ParityRow[] =>
  operations
    .filter((named) => named.module === module)
    .flatMap(({ operation: { endpoint: call, commands = [], calledBy } }) => [
      ...commands.flatMap((command) =>
        command.action === undefined
          ? []
          : [{ action: command.action, call, command: commandWords(module, command) }],
      ),
      ...(calledBy === undefined ? [] : [{ ...calledBy, call }]),
    ]);

/**
 * Every action of the admin area with its command. A test holds it to the routes that are for administrators, to the calls in
 * the pages' code and to the commands that there are; docs/cli.md shows it.
 */
export const parity: readonly ParityRow[] = [
  ...actionsOf("users"),
  ...actionsOf("contact"),
  ...actionsOf("activity"),
  { action: "Follow activities", call: "GET /api/admin/activity/stream", command: "activity tail" },
  ...actionsOf("mail"),
  ...actionsOf("settings"),
  ...actionsOf("plugins"),
  { action: "Look into a package", call: "POST /api/plugins/inspect", command: "plugin install --plan" },
  { action: "Install or update a plugin", call: "POST /api/plugins/upload", command: "plugin install" },
  {
    action: "Download a plugin to begin with",
    call: "GET /api/plugins/:name/starter",
    command: "plugin create",
    why: "the program holds the files itself",
  },
  ...actionsOf("pluginKeys"),
  ...actionsOf("tokens"),
  ...actionsOf("backups"),
  ...actionsOf("system"),
];

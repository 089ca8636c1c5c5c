import { commandWords, operations } from "#api/operations.ts";
import type { Operation } from "#contract/operation.ts";
import type { ApiCallName, ApiDownloads, ApiStreams } from "./api-calls.ts";

/** A call that some command makes. */
type CommandCall = ApiCallName | Operation["endpoint"] | `GET ${keyof ApiDownloads | keyof ApiStreams}`;

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
  { action: "List plugins", call: "GET /api/plugins", command: "plugin list" },
  { action: "Show a plugin", call: "GET /api/plugins/:name", command: "plugin info" },
  { action: "Enable a plugin", call: "POST /api/plugins/:name/toggle", command: "plugin enable" },
  { action: "Disable a plugin", call: "POST /api/plugins/:name/toggle", command: "plugin disable" },
  { action: "Look into a package", call: "POST /api/plugins/inspect", command: "plugin install --plan" },
  { action: "Install or update a plugin", call: "POST /api/plugins/upload", command: "plugin install" },
  {
    action: "Put a version that waits in force",
    call: "POST /api/plugins/:name/versions/:version/activate",
    command: "plugin update",
  },
  {
    action: "Go back to an older version",
    call: "POST /api/plugins/:name/versions/:version/activate",
    command: "plugin rollback",
  },
  {
    action: "Replace a plugin's publisher",
    call: "POST /api/plugins/:name/replace-publisher",
    command: "plugin replace-publisher",
  },
  {
    action: "Discard a version that waits",
    call: "DELETE /api/plugins/:name/versions/:version",
    command: "plugin discard",
  },
  {
    action: "Install a deleted plugin of Atrium again",
    call: "POST /api/plugins/:name/restore",
    command: "plugin reinstall",
  },
  {
    action: "Delete a former publisher's data",
    call: "DELETE /api/plugins/:name/retained/:publisher",
    command: "plugin delete-retained",
  },
  { action: "Read a plugin's log", call: "GET /api/plugins/:name/logs", command: "plugin logs" },
  {
    action: "See what a plugin stored",
    call: "GET /api/plugins/:name/data",
    command: "plugin info",
    why: "the plugin's details hold the same numbers",
  },
  { action: "Download a plugin", call: "GET /api/plugins/:name/download", command: "plugin download" },
  {
    action: "Show a plugin's settings",
    call: "GET /api/plugins/:name/settings",
    command: "plugin settings get",
  },
  {
    action: "Change a plugin's settings",
    call: "PUT /api/plugins/:name/settings",
    command: "plugin settings set",
  },
  {
    action: "Download a plugin to begin with",
    call: "GET /api/plugins/:name/starter",
    command: "plugin create",
    why: "the program holds the files itself",
  },
  { action: "Delete a plugin", call: "DELETE /api/plugins/:name", command: "plugin remove" },
  { action: "List trusted keys", call: "GET /api/admin/plugin-keys", command: "plugin keys list" },
  { action: "Trust a key", call: "POST /api/admin/plugin-keys", command: "plugin keys add" },
  { action: "Change a trusted key", call: "PATCH /api/admin/plugin-keys/:id", command: "plugin keys set" },
  {
    action: "Revoke a key",
    call: "POST /api/admin/plugin-keys/:id/revoke",
    command: "plugin keys revoke",
  },
  ...actionsOf("tokens"),
  ...actionsOf("backups"),
  ...actionsOf("system"),
];

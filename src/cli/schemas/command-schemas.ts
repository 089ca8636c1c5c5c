import { commandWords, contracts, operations } from "#api/operations.ts";
import { localSchemas, written } from "./local-schemas.ts";
import {
  answerOf,
  anything,
  either,
  flag,
  list,
  merged,
  object,
  oneOf,
  orNull,
  type Shape,
  text,
  whole,
} from "./shapes.ts";

const plugin = answerOf("GET /api/plugins/:name");
const core = (part?: string): Shape => answerOf("settings.core", part);
const accounts = answerOf("settings.accounts");
const credentials = (part?: string): Shape => answerOf("settings.credentials", part);
/** What stands at a path: everything, a part, a section of one, or one value of any kind that settings have. */
const settingsPart = either(
  object({ core: core(), accounts, credentials: credentials() }),
  ...[core(), core("rateLimiting"), core("security")],
  accounts,
  ...[credentials(), credentials("redis"), credentials("cloudflareR2")],
  ...[text, whole, flag, list(text)],
);

/** What commands of operations print: what those answer, or where a file went. */
const operationSchemas = (): Record<string, Shape> =>
  Object.fromEntries(
    operations.flatMap(({ module, operation }) =>
      (operation.commands ?? []).map((command) => {
        const words = commandWords(module, command);
        return [words, operation.responds === "file" ? written : answersOf(words, operation.endpoint)];
      }),
    ),
  );

/** With an option such as `--dead` a command may call another operation. */
const answersOf = (words: string, endpoint: string): Shape => {
  const others = operations.filter(({ operation }) => operation.calledBy?.command?.startsWith(`${words} --`));
  const own = { $answer: endpoint, part: "" };
  return others.length === 0
    ? own
    : either(own, ...others.map(({ operation }) => ({ $answer: operation.endpoint, part: "" })));
};

/** What each command prints with `--json`, most of it as the API answers it. Commands that print no JSON are {@link schemaless}. */
export const commandSchemas: Record<string, Shape> = {
  ...operationSchemas(),
  ...localSchemas,
  // What the call answers: `atrium openapi` describes it.
  api: anything,
  "activity tail": { $answer: contracts.activity.list.endpoint, part: "activities.[]" },
  "settings get": settingsPart,
  "settings show": answerOf("settings.history", "changes.[]"),
  "settings set": object(
    {
      core: answerOf("settings.setCore"),
      accounts: answerOf("settings.setAccounts"),
      credentials: answerOf("settings.setCredentials"),
    },
    ["core", "accounts", "credentials"],
  ),
  "settings test": answerOf("settings.testRedis"),
  "plugin list": list(answerOf("GET /api/plugins", "[]")),
  "plugin info": plugin,
  "plugin install": answerOf("POST /api/plugins/upload"),
  "plugin enable": answerOf("POST /api/plugins/:name/toggle"),
  "plugin disable": answerOf("POST /api/plugins/:name/toggle"),
  "plugin remove": answerOf("DELETE /api/plugins/:name"),
  "plugin update": answerOf("POST /api/plugins/:name/versions/:version/activate"),
  "plugin rollback": answerOf("POST /api/plugins/:name/versions/:version/activate"),
  "plugin replace-publisher": answerOf("POST /api/plugins/:name/replace-publisher"),
  "plugin delete-retained": answerOf("DELETE /api/plugins/:name/retained/:publisher"),
  "plugin discard": answerOf("DELETE /api/plugins/:name/versions/:version"),
  "plugin reinstall": answerOf("POST /api/plugins/:name/restore"),
  "plugin logs": answerOf("GET /api/plugins/:name/logs", "lines.[]"),
  "plugin settings get": either(
    object({
      values: answerOf("GET /api/plugins/:name/settings", "values"),
      secrets: answerOf("GET /api/plugins/:name/settings", "secrets"),
    }),
    { description: "With a field named: what it holds, which is whatever the plugin's own schema says" },
  ),
  "plugin settings set": answerOf("PUT /api/plugins/:name/settings"),
  "plugin keys list": list(answerOf("GET /api/admin/plugin-keys", "keys.[]")),
  "plugin keys add": answerOf("POST /api/admin/plugin-keys"),
  "plugin keys set": answerOf("PATCH /api/admin/plugin-keys/:id"),
  "plugin keys revoke": answerOf("POST /api/admin/plugin-keys/:id/revoke"),
  "token list": list(answerOf("tokens.list", "tokens.[]")),
  // With --out the token itself is in the file alone.
  "token create": either(
    answerOf("tokens.create"),
    merged(answerOf("tokens.change"), object({ file: text })),
  ),
  "token remove": object({ id: text, name: text }),
  backup: object({ file: text, place: text, rows: whole, sizeBytes: whole }),
  "backup schedule": merged(
    answerOf("backups.list", "schedule"),
    object({
      nextAt: answerOf("backups.list", "nextAt"),
      last: answerOf("backups.list", "last"),
    }),
  ),
  status: either(
    merged(
      answerOf("system.info"),
      answerOf("system.status"),
      object({
        backups: orNull(answerOf("backups.health")),
        readiness: orNull(answerOf("system.parts")),
      }),
    ),
    // --live
    object({ status: oneOf("alive") }),
  ),
};

/** Commands that print no JSON of their own: scripts for shells, the manual, and what goes on until it is ended. */
export const schemaless: readonly string[] = ["serve", "completion", "man", "plugin dev"];

/** What a command that changes something prints with `--plan` in place of its result. */
export const planSchema: Shape = object({ plan: list(text), calls: list(text) });

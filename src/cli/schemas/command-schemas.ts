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
        const own = { $answer: operation.endpoint, part: command.prints ?? "" };
        return [words, operation.responds === "file" ? written : answersOf(words, own)];
      }),
    ),
  );

/** With an option such as `--dead` a command may call another operation. */
const answersOf = (words: string, own: Shape): Shape => {
  const others = operations.filter(({ operation }) => operation.calledBy?.command?.startsWith(`${words} --`));
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
  "plugin install": answerOf("POST /api/plugins/upload"),
  "plugin logs": answerOf("plugins.logs", "lines.[]"),
  "plugin settings get": either(
    object({
      values: answerOf("plugins.settings", "values"),
      secrets: answerOf("plugins.settings", "secrets"),
    }),
    { description: "With a field named: what it holds, which is whatever the plugin's own schema says" },
  ),
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

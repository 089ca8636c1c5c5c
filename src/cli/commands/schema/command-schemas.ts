import { commandWords, contracts, operations } from "#api/operations.ts";
import type { ApiCallName } from "#cli/client/api-calls.ts";
import type { OperationId } from "#contract/create-client.ts";
import { signatureStates } from "#contract/plugins.ts";

/** A JSON Schema in which {@link answerOf} and {@link merged} stand for parts of the API's document. */
export type Shape = { [word: string]: unknown };

const text: Shape = { type: "string" };
const whole: Shape = { type: "integer" };
const flag: Shape = { type: "boolean" };
export const anything: Shape = {};

/** An object with exactly these fields; those in `optional` may be missing. */
const object = (properties: Record<string, Shape>, optional: readonly string[] = []): Shape => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const list = (items: Shape): Shape => ({ type: "array", items });
const orNull = (shape: Shape): Shape => either(shape, { type: "null" });
export const either = (...anyOf: Shape[]): Shape => ({ anyOf });
const oneOf = (...words: string[]): Shape => ({ type: "string", enum: words });

const endpoints: { readonly [id: string]: string } = Object.fromEntries(
  operations.map(({ id, operation }) => [id, operation.endpoint]),
);

/**
 * The data that an operation or a call answers, or one part of it: names with dots between them, `[]` for what a list holds.
 */
const answerOf = (call: OperationId | ApiCallName, part = ""): Shape => ({
  $answer: endpoints[call] ?? call,
  part,
});

/** One object with the fields of all. */
const merged = (...shapes: Shape[]): Shape => ({ $merged: shapes });

/** Where a file went that a command wrote. */
const written = object({ file: text, sizeBytes: whole });
const counted = list(object({ table: text, rows: whole }));
const numbered: Shape = { type: "object", additionalProperties: whole };
const someObject: Shape = { type: "object" };
const mark = { id: whole, hash: text };
const sealed = object({ table: text, column: text, id: text });
const permission = object({ name: text, hosts: list(text), plugins: list(text), reason: text }, [
  ...["hosts", "plugins", "reason"],
]);
const signature = object(
  {
    ...{ state: oneOf(...signatureStates), keyId: orNull(text), claimedKeyId: text },
    ...{ publisher: orNull(text), signedAt: orNull(text) },
  },
  ["claimedKeyId"],
);
const manifest = object({
  ...{ format: whole, version: text, createdAt: text },
  database: object({ kind: oneOf("postgres", "embedded"), version: text }),
  ...{
    migrations: list(text),
    ownMigrations: list(text),
    keyFingerprint: orNull(text),
    hasKey: flag,
    tables: list(text),
  },
});
const keyPlan = oneOf("same", "from-backup", "drop-secrets");
const dropped = object({
  ...{ enterAgain: list(text), mails: whole, activities: whole },
  log: object({
    ...{ headId: whole, headHash: text, anchorId: whole, anchorHash: text },
    ...{ seal: orNull(text), fault: orNull(text) },
  }),
});

/** What commands print with `--json` that no call of the API answers. */
const localSchemas: Record<string, Shape> = {
  "activity export": object({ file: text, sizeBytes: whole, rows: whole }),
  "activity verify": object({
    checked: whole,
    head: object(mark),
    anchor: object(mark),
    fault: orNull(object({ id: whole, problem: text })),
    expected: orNull(
      object({ ...mark, outcome: oneOf("unchanged", "changed", "removed", "missing", "unproven") }),
    ),
  }),
  "activity cleanup": object({ deletedCount: whole }),
  "backup remove": object({ name: text, place: oneOf("folder", "storage") }),
  "plugin create": object({ name: text, folder: text, files: list(text) }),
  "plugin pack": object({ file: text, name: text, version: text, sizeBytes: whole, files: list(text) }),
  "plugin sign": object({ file: text, name: text, version: text, keyId: text }),
  "plugin keygen": object({ file: text, publicKey: text, keyId: text }),
  "plugin verify": object({
    ...{ name: text, version: text, title: text, permissions: list(permission), sizeBytes: whole },
    ...{ sha256: text, signature, problems: list(object({ code: text, message: text })) },
    files: list(object({ path: text, sizeBytes: whole })),
  }),
  "secrets new-key": object({ key: text }),
  "secrets rotate": object({
    ...{ resealed: whole, remaining: whole, isComplete: flag, fingerprint: text },
    ...{ previousFingerprint: orNull(text), unreadable: list(sealed) },
  }),
  "passwords build-filter": object({ passwords: whole, path: text }),
  "snapshot list": object({
    snapshots: list(object({ name: text, madeAt: text, sizeBytes: whole, before: orNull(text) })),
  }),
  "snapshot restore": object({ restored: text, replaced: orNull(text) }),
  restore: either(
    object({
      ...{ manifest, tables: counted, rows: whole, objects: whole },
      ended: object({
        ...{ sessions: whole, links: whole, apiTokens: whole },
        scheduledTo: orNull(oneOf("folder", "storage")),
      }),
      ...{ key: keyPlan, dropped: orNull(dropped), keptAs: orNull(text), into: text, needsAppSecret: flag },
    }),
    // --verify
    object({
      ...{ manifest, tables: counted, rows: whole, objects: whole, differing: list(text) },
      log: object({ checked: whole, fault: orNull(text), isSealChecked: flag }),
      isSound: flag,
    }),
    // --plan
    object({
      ...{ manifest, rows: numbered, objects: whole, key: orNull(keyPlan) },
      ...{ complaint: orNull(text), isReplacing: orNull(flag), into: text, keepsIn: orNull(text) },
    }),
  ),
  migrate: object({
    ...{ isServerRunning: flag, applied: list(text), pending: whole },
    migrations: list(object({ name: text, appliedAt: orNull(text) })),
  }),
  "migrate embedded-to-postgres": either(
    object({
      ...{ to: text, version: text, tables: counted, rows: whole, checked: whole },
      ...{ durationMs: { type: "number" }, rowsPerSecond: { type: "number" }, keep: list(text) },
    }),
    // --plan
    object({
      from: object({ dataDir: text, version: text, sizeBytes: whole }),
      to: object({ address: text, database: text, version: text }),
      tables: list(object({ table: text, rows: whole, bytes: whole })),
      ...{ rows: whole, bytes: whole, obstacle: orNull(text), brokenOffAt: orNull(text) },
    }),
  ),
  doctor: object({
    config: list(
      object({
        variable: text,
        value: text,
        source: oneOf("environment", "default", "--data-dir"),
        problem: orNull(text),
      }),
    ),
    checks: list(
      object({ name: text, state: oneOf("ok", "warn", "fail"), detail: text, remedy: orNull(text) }),
    ),
  }),
  "support-bundle": object({
    ...{ file: text, sizeBytes: whole },
    parts: list(object({ file: text, about: text, problem: orNull(text) })),
  }),
  // The description itself, or with --out where it went.
  openapi: either(written, someObject),
  schema: someObject,
};

const core = (part?: string): Shape => answerOf("settings.core", part);
const accounts = answerOf("settings.accounts");
const site = answerOf("settings.site");
const credentials = (part?: string): Shape => answerOf("settings.credentials", part);
/** What stands at a path: everything, a part, a section of one, or one value of any kind that settings have. */
const settingsPart = either(
  object({ core: core(), accounts, site, credentials: credentials() }),
  ...[core(), core("rateLimiting"), core("security")],
  accounts,
  site,
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
      site: answerOf("settings.setSite"),
      credentials: answerOf("settings.setCredentials"),
    },
    ["core", "accounts", "site", "credentials"],
  ),
  "settings image": answerOf("settings.setSite"),
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

/** Commands that print no JSON of their own: scripts for shells, the manual, and commands that run until they are ended. */
export const schemaless: readonly string[] = ["serve", "completion", "man", "plugin dev"];

/** What a command that changes something prints with `--plan` in place of its result. */
export const planSchema: Shape = object({ plan: list(text), calls: list(text) });

import { commandWords, coreOperations } from "#api/operations.ts";
import type { CommandWorld } from "./command-world.ts";

type Words = (world: CommandWorld) => string[];

const newPerson: Words = () => ["--email", "new@example.test", "--name", "New"];

/** What is typed behind the commands of each module that are about one thing, and behind those that take other words. */
const typedWords: Record<string, Words> = {
  activity: () => ["1"],
  backups: ({ backup }) => [backup],
  contact: ({ message }) => [message],
  mail: ({ mail }) => [mail],
  pluginKeys: ({ keyId }) => [keyId],
  plugins: ({ plugin }) => [plugin],
  providers: ({ provider }) => [provider],
  settings: () => ["1"],
  tokens: () => ["ci"],
  users: ({ user }) => [user],
  "activity cleanup": () => ["--days", "90"],
  "activity retention set": () => ["90"],
  "admin create": newPerson,
  "backup schedule": () => ["--daily", "03:00"],
  "plugin delete-retained": ({ plugin }) => [plugin, "unsigned"],
  "plugin discard": ({ plugin }) => [plugin, "1.0.0"],
  "plugin keys add": ({ otherKey }) => [otherKey, "--label", "Grace", "--tier", "native"],
  "plugin keys set": ({ keyId }) => [keyId, "--tier", "native"],
  "plugin reinstall": () => ["deleted"],
  "plugin remove": ({ plugin }) => [plugin, "--retain-data"],
  "plugin replace-publisher": ({ plugin }) => [plugin, "1.0.0"],
  "plugin settings set": ({ plugin }) => [plugin, "greeting", "Hello"],
  "provider set": ({ provider }) => [provider, "--label", "Acme Inc."],
  "settings get": () => [],
  "token create": () => ["--name", "another", "--scope", "plugins:read"],
  // The one in use, which is not looked up.
  "token show": () => [],
  "token update": () => ["ci", "--network", "10.0.0.0/8"],
  "user create": newPerson,
  "user invite": () => ["invited@example.test"],
  "user invitations": () => [],
  "user reinvite": ({ invited }) => [invited],
  "user uninvite": ({ invited }) => [invited],
  "user set-email": ({ user }) => [user, "moved@example.test"],
  "user set-password": ({ user }) => [user, "--password-stdin"],
  "user set-role": ({ user }) => [user, "admin"],
  "user verify": ({ pending }) => [pending],
  "user remove-pending": ({ otherPending }) => [otherPending],
};

/** The commands of operations, and what is typed behind their names. */
export const declared = coreOperations.flatMap(({ module, operation }) =>
  (operation.commands ?? []).map((command) => {
    const words = commandWords(module, command);
    const typed = typedWords[words] ?? (command.arguments === undefined ? undefined : typedWords[module]);
    return {
      words,
      typed: typed ?? (() => []),
      changes: operation.changes === true,
      isFile: operation.responds === "file",
    };
  }),
);

/** What other commands about plugins would miss, so that it comes behind them. */
const takesAway = ({ words }: { words: string }): boolean =>
  ["plugin remove", "plugin delete-retained"].includes(words);

const fileOf = (_: CommandWorld, folder: string): string[] => ["--out", `${folder}/${Bun.randomUUIDv7()}`];

/** Commands that change something through the API, each as it is typed behind its name; they can be run in this order. */
export const changingCommands: Record<string, Words> = {
  "plugin install": () => ["src/cli/testing"],
  ...Object.fromEntries(
    declared
      .toSorted((one, other) => Number(takesAway(one)) - Number(takesAway(other)))
      .flatMap((each) => (each.changes ? [[each.words, each.typed]] : [])),
  ),
  api: () => ["POST", "/api/admin/mails/retry"],
  "settings set": () => ["core.rateLimiting.maxRequests", "500"],
  "settings image": () => ["icon", "src/ui/public/icon-512.png"],
  "secrets rotate": () => [],
  backup: () => ["--keep"],
};

type LongWords = (world: CommandWorld, folder: string) => string[];

/**
 * Commands that may take seconds, and show meanwhile on a terminal that they do: each as it is typed where a command world
 * has all that it needs, in an order in which they can be run; `folder` is for files. `null` where it has not.
 */
export const longCommands: Record<string, LongWords | null> = {
  ...Object.fromEntries(declared.flatMap((each) => (each.isFile ? [[each.words, fileOf]] : []))),
  doctor: () => [],
  openapi: () => [],
  "user list": () => ["--all"],
  "settings test": () => ["rate-limit"],
  "provider test": ({ provider }) => [provider],
  "activity verify": () => [],
  "activity cleanup": () => ["--days", "90", "--yes"],
  "plugin pack": (_, folder) => [`${folder}/starter`, "--out", `${folder}/starter.zip`],
  "plugin install": (_, folder) => [`${folder}/starter`],
  "plugin enable": ({ plugin }) => [plugin, "--yes"],
  "plugin rollback": ({ plugin }) => [plugin, "--yes"],
  "plugin disable": ({ plugin }) => [plugin],
  "plugin download": ({ plugin }, folder) => [plugin, "--out", `${folder}/downloaded.zip`],
  "plugin remove": ({ plugin }) => [plugin, "--yes"],
  "plugin reinstall": () => ["deleted"],
  // No version waits there, no former key is known, and there are no backups and no database on a disk.
  "plugin update": null,
  "plugin replace-publisher": null,
  "secrets rotate": null,
  backup: null,
  "backup download": null,
  restore: null,
  "snapshot create": null,
  "passwords build-filter": null,
  "snapshot restore": null,
  migrate: null,
  "migrate embedded-to-postgres": null,
  "support-bundle": null,
};

/** Commands that change something on this machine, which have tests of their own. */
export const localChanges: readonly string[] = [
  "migrate",
  "migrate embedded-to-postgres",
  "passwords build-filter",
  "plugin create",
  "restore",
  "snapshot restore",
];

/**
 * Commands that have no plan: they read, or write the file that they are asked for; `serve` and `plugin dev` run until they
 * are ended, and `settings test` tries what is saved already.
 */
export const planless: readonly string[] = [
  ...declared.flatMap(({ words, changes }) => (changes ? [] : [words])),
  ...["serve", "plugin dev", "settings test", "completion", "man", "openapi", "schema", "support-bundle"],
  ...["status", "doctor", "activity tail"],
  ...["plugin keygen", "plugin logs", "plugin pack"],
  ...["plugin sign", "plugin verify", "secrets new-key"],
  ...["snapshot list"],
];

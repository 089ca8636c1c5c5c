import type { CommandWorld } from "./command-world.ts";

type Words = (world: CommandWorld) => string[];

/** Commands that change something through the API, each as it is typed behind its name; they can be run in this order. */
export const changingCommands: Record<string, Words> = {
  api: () => ["POST", "/api/admin/mails/retry"],
  "admin create": () => ["--email", "new@example.test", "--name", "New"],
  "user create": () => ["--email", "new@example.test", "--name", "New"],
  "user set-role": ({ user }) => [user, "admin"],
  "user disable": ({ user }) => [user],
  "user enable": ({ user }) => [user],
  "user verify": ({ pending }) => [pending],
  "user remove-pending": ({ otherPending }) => [otherPending],
  "user send-reset": ({ user }) => [user],
  "user end-sessions": ({ user }) => [user],
  "user delete": ({ user }) => [user],
  "contact handle": ({ message }) => [message],
  "contact reopen": ({ message }) => [message],
  "contact delete": ({ message }) => [message],
  "activity cleanup": () => ["--days", "90"],
  "activity retention set": () => ["90"],
  "mail retry": ({ mail }) => [mail],
  "mail discard": ({ mail }) => [mail],
  "settings revert": () => ["1"],
  "settings set": () => ["core.rateLimiting.maxRequests", "500"],
  "plugin install": () => ["src/cli/testing"],
  "plugin enable": ({ plugin }) => [plugin],
  "plugin disable": ({ plugin }) => [plugin],
  "plugin update": ({ plugin }) => [plugin],
  "plugin rollback": ({ plugin }) => [plugin],
  "plugin discard": ({ plugin }) => [plugin, "1.0.0"],
  "plugin settings set": ({ plugin }) => [plugin, "greeting", "Hello"],
  "plugin remove": ({ plugin }) => [plugin],
  "plugin reinstall": () => ["deleted"],
  "plugin keys add": ({ otherKey }) => [otherKey, "--label", "Grace", "--tier", "native"],
  "plugin keys set": ({ keyId }) => [keyId, "--tier", "native"],
  "plugin keys revoke": ({ keyId }) => [keyId],
  "token create": () => ["--name", "another", "--scope", "plugins:read"],
  "token update": () => ["ci", "--network", "10.0.0.0/8"],
  "token revoke": () => ["ci"],
  "token remove": () => ["ci"],
  "secrets rotate": () => [],
  "snapshot create": () => [],
  backup: () => ["--keep"],
  "backup schedule": () => ["--daily", "03:00"],
  "backup cancel": () => [],
  "backup remove": ({ backup }) => [backup],
};

/** Commands that change something on this machine, which have tests of their own. */
export const localChanges: readonly string[] = [
  "migrate",
  "migrate embedded-to-postgres",
  "plugin create",
  "restore",
  "snapshot restore",
];

/**
 * Commands that have no plan: they read, or write the file that they are asked for; `serve` and `plugin dev` go on until they
 * are ended, and `settings test` tries what is saved already.
 */
export const planless: readonly string[] = [
  ...["serve", "plugin dev", "settings test", "completion", "man", "openapi", "schema", "support-bundle"],
  ...["status", "doctor", "activity days", "activity export", "activity list", "activity retention show"],
  ...[
    "activity show",
    "activity stats",
    "activity tail",
    "activity verify",
    "backup download",
    "backup list",
  ],
  ...[
    "contact export",
    "contact list",
    "contact show",
    "mail list",
    "mail show",
    "mail status",
    "plugin download",
  ],
  ...["plugin info", "plugin keygen", "plugin keys list", "plugin list", "plugin logs", "plugin pack"],
  ...["plugin settings get", "plugin sign", "plugin verify", "secrets new-key", "secrets status"],
  ...["settings get", "settings history", "settings show", "snapshot list", "token list", "token show"],
  ...["user list", "user show"],
];

/** A word or phrase that texts avoid, and what to write instead. Matched as whole words, in any case. */
export type AvoidedWord = { avoid: string; write: string };

/** Where texts are checked. Add a folder here once its texts pass; a glob that begins with `!` takes files out. In code, only string literals and JSX text count. */
export const checkedTexts: readonly string[] = [
  "docs/**/*.md",
  "README.md",
  "CHANGELOG.md",
  "src/ui/**/*.{ts,tsx,html,webmanifest}",
  "src/api/{adapters,backups,contract}/**/*.ts",
  "src/api/modules/{account,auth,backups,contact,mail,passwords,secrets,sessions}/**/*.ts",
  "src/api/modules/{activity,plugins,settings,snapshots,storage,system,tokens,users}/**/*.ts",
  "src/api/modules/*.ts",
  "src/api/plugin-host/**/*.ts",
  "src/plugins/{licensing,plugin-template,sdk,web-performance-optimization}/**/*.{ts,tsx,md}",
  "src/plugins/firewall/*.md",
  "src/plugins/firewall/{backend,frontend}/**/*.{ts,tsx}",
  "!src/plugins/firewall/{backend,frontend}/**/*.test.ts",
  "!src/plugins/firewall/backend/engine/**",
  "!src/api/adapters/*.test.ts",
  "src/api/{config,core,db,door,http,testing}/**/*.ts",
  "src/api/*.ts",
  "{scripts,src/cli,src/client}/**/*.ts",
  "tests/{bench,driver,faults,replicas,services}/**/*.ts",
];

/** Alternatives are regular expressions. */
export const avoidedWords: readonly AvoidedWord[] = [
  {
    avoid: "somebody|whoever|whomever|nobody|anybody|everybody|people",
    write: "someone, anyone, user, member",
  },
  { avoid: "log(s|ged|ging)? in|login|log-in", write: "sign in, sign-in" },
  { avoid: "log(s|ged|ging)? out|logout", write: "sign out" },
  { avoid: "e-mails?|mails|mailed|mailing|mailbox(es)?|mail(?! servers?\\b)", write: "email, email address" },
  { avoid: "by (it|him|her|them)sel(f|ves)", write: "automatically, alone" },
  { avoid: "for good", write: "permanently; can't be undone" },
  { avoid: "at once", write: "immediately, at the same time" },
  { avoid: "anew|once more", write: "again" },
  { avoid: "noted|written down", write: "recorded, logged" },
  { avoid: "ways? in(to)?(?! which)", write: "endpoint, sign-in method" },
  { avoid: "stands? in|stood in", write: "is in, is listed in" },
  { avoid: "room", write: "disk space" },
  { avoid: "goes on|go on", write: "continues, keeps running" },
  { avoid: "puts? in force|takes? into use|comes? along", write: "install, enable, is included" },
  { avoid: "mend(s|ed|ing)?", write: "fix" },
  { avoid: "what becomes of|what is where", write: "details, history, overview" },
  { avoid: "deeds?|desk|household|tall(y|ies)", write: "the field's word" },
  { avoid: "licences?|colours?|organisations?|behaviours?|defences?", write: "American spelling" },
  {
    avoid: "(initial|recogn|author|organ)is(e|es|ed|ing|able)|unauthorised|grey",
    write: "American spelling",
  },
  { avoid: "set-up|look-ups?", write: "setup, lookup" },
];

/** Texts that are given and stay as they are, wherever they are quoted. */
export const quotedTexts: readonly string[] = [
  "Are you sure you want to logout?",
  "Back to Login",
  "Confirm Logout",
  "Error logging in",
  "Please verify your email before logging in",
  "Redirecting to login",
];

/** Pages, or phrases in them, that may hold an avoided word, and why. A phrase that is no longer there fails the check. */
export const wordExceptions: readonly { file: string; phrases?: readonly string[]; why: string }[] = [
  { file: "docs/plugins/reference.md", why: "generated from the types of the plugin SDK" },
  { file: "src/api/adapters/smtp-failure.ts", phrases: ["MAIL FROM"], why: "a command of SMTP" },
  {
    file: "src/api/adapters/tracing/traced-adapters.ts",
    phrases: ["mail $"],
    why: "the name of a span",
  },
  {
    file: "src/api/backups/settle-restored.ts",
    phrases: ["update mails set"],
    why: "a table's name",
  },
  {
    file: "src/api/modules/account/export-account.test.ts",
    phrases: ["alter table mails rename to mails_away", "alter table mails_away rename to mails"],
    why: "a table's name",
  },
  ...["contact-mail.test.ts", "templates.test.ts"].map((name) => ({
    file: `src/api/modules/mail/templates/${name}`,
    phrases: ["mail programs"],
    why: "the usual word for them",
  })),
  {
    file: "src/api/modules/mail/store.ts",
    phrases: ["from mails where"],
    why: "a table's name",
  },
  { file: "src/api/modules/system/store.ts", phrases: ["from mails group"], why: "a table's name" },
  {
    file: "src/api/modules/mail/contract.ts",
    phrases: ["atrium mail ", '"Mail"', '"mail retry --dead"', '"settings test mail"'],
    why: "commands, a tag and a schema's name",
  },
  {
    file: "src/ui/features/admin/plugins/details/settings/form-draft.test.ts",
    phrases: ['"mail group"'],
    why: "a setting of a plugin, and its kind",
  },
  ...["components/logout-dialog.tsx", "components/user-menu-open.tsx", "features/account/texts.ts"].map(
    (file) => ({ file: `src/ui/${file}`, phrases: ["Logout"], why: "a given label" }),
  ),
  ...["features/account/account-pages.test.ts", "layouts/menus.ts", "layouts/site-shell.tsx"].map((file) => ({
    file: `src/ui/${file}`,
    phrases: ["Login"],
    why: "a given label",
  })),
  { file: "src/api/http/document/complete.ts", phrases: ['"Mail"'], why: "a group of the API's document" },
  {
    file: "src/api/db/long-lists.test.ts",
    phrases: ["update mails", "select 'mails'", "from mails"],
    why: "a table",
  },
  {
    file: "src/api/testing/fill-lists.ts",
    phrases: ["insert into mails", "mail.example.com"],
    why: "a table and a host",
  },
  {
    file: "tests/replicas/shared-work.test.ts",
    phrases: ["from mails", "update mails"],
    why: "a table",
  },
  ...["move-target.test.ts", "move-to-postgres.test.ts", "refused-start.test.ts"].map((file) => ({
    file: `tests/services/${file}`,
    phrases: [file.startsWith("refused") ? "weak login" : "mover login"],
    why: "PostgreSQL's word for a role that can connect",
  })),
  { file: "scripts/docs/docs.test.ts", phrases: ["atrium mail retry"], why: "a command" },
  { file: "scripts/draw-images.ts", phrases: ["Mail</span>"], why: "a label in an image" },
  { file: "scripts/ui/built-ui.test.ts", phrases: ["Login"], why: "a given label" },
  { file: "src/cli/client/own-socket.test.ts", phrases: ["nobody"], why: "a user of the system" },
  ...["mail-views.ts", "mail.test.ts"].map((file) => ({
    file: `src/cli/commands/mail/${file}`,
    phrases: ["mail show", "mail list", "mail retry", "mail status"],
    why: "commands",
  })),
  { file: "src/cli/commands/mail/mail.test.ts", phrases: ["mail discard"], why: "a command" },
  { file: "src/cli/commands/schema/command-schemas.test.ts", phrases: ["mail show"], why: "a command" },
  {
    file: "src/cli/commands/settings/settings.test.ts",
    phrases: ["rate-limit, mail"],
    why: "a command's choices",
  },
  {
    file: "src/cli/commands/settings/settings.ts",
    phrases: ["settings test mail", "mail sends"],
    why: "a command and its choices",
  },
  { file: "src/cli/commands/status.test.ts", phrases: ["mail away"], why: "a part of readiness" },
  ...["operations/every-command.test.ts", "plan.test.ts"].map((file) => ({
    file: `src/cli/${file}`,
    phrases: ["mail discard"],
    why: "a command",
  })),
  { file: "tests/services/support-bundle.test.ts", phrases: ["@mail.example"], why: "a host" },
];

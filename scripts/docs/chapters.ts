/** One page of the documentation. Its title is the first heading of its text. */
export type Chapter = {
  path: string;
  /** The Markdown below `docs/` that it is made from; `null` for the reference of the command line, made from the program. */
  source: string | null;
  /** What search engines and the first page of the documentation say about it. */
  description: string;
};

export type ChapterGroup = { title: string; chapters: readonly Chapter[] };

/** Where the documentation begins; below it lie its chapters. */
export const docsPath = "/docs";

/** A chapter at the address that its file's name gives. */
const chapter = (name: string, description: string): Chapter => ({
  path: `${docsPath}/${name}`,
  source: `docs/${name}.md`,
  description,
});

/** All chapters, in reading order. */
export const chapterGroups: readonly ChapterGroup[] = [
  {
    title: "Start",
    chapters: [
      chapter("quick-start", "From nothing to a running server with an administrator, and what to do next."),
      chapter("configuration", "Every variable that the server reads at its start."),
      chapter("accounts", "What members can do with their account, what is stored, what a deletion leaves."),
    ],
  },
  {
    title: "Administration",
    chapters: [
      chapter("settings", "What administrators change while the server runs, and when it acts."),
      chapter("mail", "How mails leave, and where to see that they did."),
      chapter("storage", "Files in S3-compatible object storage."),
      chapter("secrets", "The key that protects stored secrets, and how to change it."),
      chapter("firewall", "Switching the firewall on without shutting anybody out."),
      chapter("activity", "What the activity log records, for how long, and what it can prove."),
    ],
  },
  {
    title: "Operating",
    chapters: [
      chapter("operating/executable", "The one file that holds the whole product."),
      chapter("operating/containers", "The image, and the compose file that comes along."),
      chapter("operating/systemd", "As a service of a Linux machine."),
      chapter("operating/backups", "Making backups, trying them, putting them back."),
      chapter("operating/embedded-database", "The database inside: what it keeps, and its limits."),
      chapter("operating/moving-to-postgresql", "From the embedded database to a server of your own."),
      chapter("operating/upgrades", "To a newer version, and back if need be."),
      chapter("operating/monitoring", "Health, readiness, metrics, alerts and traces."),
      chapter("operating/logs", "What stands in the log, and how to read it."),
      chapter("operating/replicas", "Several servers behind one address."),
    ],
  },
  {
    title: "Plugins",
    chapters: [
      chapter("plugins/guide", "Write, test and pack a plugin, step by step."),
      chapter("plugins/packaging", "What is in a package, who may be trusted, how to sign."),
      chapter("plugins/reference", "Everything that a plugin can use."),
    ],
  },
  {
    title: "Security",
    chapters: [chapter("security", "What is defended, how, and what is not.")],
  },
  {
    title: "API and command line",
    chapters: [
      chapter("api", "Calls, answers and failures, and where the whole description is."),
      chapter("tokens", "Tokens for scripts, pipelines and assistants: scopes, bounds, revoking."),
      chapter("api/curl", "Calls from a shell, step by step."),
      chapter("api/client", "The API as typed functions, for TypeScript."),
      chapter("api/eden", "The API's own type, for TypeScript beside its source."),
      chapter("api/ci", "Installing and enabling a plugin from a CI pipeline."),
      chapter(
        "mcp",
        "Assistants that administer the installation by the Model Context Protocol, and what they may do.",
      ),
      chapter("cli", "The command line: whom it talks to, what it prints, what each command does."),
      {
        path: `${docsPath}/cli-reference`,
        source: null,
        description: "Every command with its arguments, options and examples.",
      },
      chapter("errors", "Every failure with its code, its status and its remedy."),
    ],
  },
];

/** Documents below `docs/` that are about the repository, not about the product: no pages of the site. */
export const insideDocuments: readonly string[] = [
  "docs/ARCHITECTURE.md",
  "docs/decisions/",
  "docs/folders.md",
  "docs/performance.md",
  "docs/requests.md",
  "docs/security-checks.md",
  "docs/testing.md",
];

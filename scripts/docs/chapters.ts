import { Lexer, type Token, type Tokens } from "marked";
import { anchorOf } from "#ui/docs-site/search/search-index.ts";

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
      chapter("quick-start", "Start a server, create an administrator, and prepare it for others."),
      chapter("configuration", "Every environment variable that the server reads at its start."),
      chapter("accounts", "What members can do, what is stored about them, and how to manage accounts."),
    ],
  },
  {
    title: "Make it yours",
    chapters: [
      chapter("make-it-yours", "Start a product of your own: name and look, features, access, deployment."),
      chapter("your-first-feature", "Build your own product on Atrium, step by step, in 15 minutes."),
      chapter("next-version", "Merge a new version of Atrium into your product, after trying it safely."),
      chapter("remove-parts", "Leave out pages and included plugins that your product doesn't need."),
    ],
  },
  {
    title: "Administration",
    chapters: [
      chapter("providers", "Sign-in providers that speak OpenID Connect: add, change and remove them."),
      chapter("settings", "What administrators can change while the server runs, and when it takes effect."),
      chapter("mail", "How emails are sent, and how to see whether they arrive."),
      chapter("storage", "Keep files in S3-compatible object storage."),
      chapter("secrets", "How stored secrets are protected, and how to change the key."),
      chapter("firewall", "Turn the firewall on safely, and find out why a request was blocked."),
      chapter("activity", "What the activity log records, how long it is kept, and what it can prove."),
    ],
  },
  {
    title: "Operating",
    chapters: [
      chapter("operating/executable", "Build, verify and run the one file that contains the whole product."),
      chapter("operating/containers", "Run the container image, alone or with Compose."),
      chapter("operating/systemd", "Run Atrium as a service of a Linux machine."),
      chapter("operating/backups", "Make, schedule, verify and restore backups."),
      chapter(
        "operating/embedded-database",
        "Snapshots of the embedded database, and what to do when it is damaged.",
      ),
      chapter("operating/moving-to-postgresql", "Move from the embedded database to a PostgreSQL server."),
      chapter("operating/runbooks", "What to do when something is wrong, step by step."),
      chapter("operating/upgrades", "Upgrade to a newer version, and go back if needed."),
      chapter("operating/monitoring", "Health, readiness, metrics, alerts and traces."),
      chapter("operating/logs", "What the log contains, and how to read it."),
      chapter("operating/replicas", "Run several servers behind one address."),
    ],
  },
  {
    title: "Plugins",
    chapters: [
      chapter("plugins/guide", "Write, test and pack a plugin, step by step."),
      chapter("plugins/packaging", "What a package contains, how to sign it, and whom to trust."),
      chapter("plugins/reference", "Everything a plugin can use."),
    ],
  },
  {
    title: "Security",
    chapters: [chapter("security", "What Atrium protects, how, and what it leaves to you.")],
  },
  {
    title: "API and command line",
    chapters: [
      chapter("api", "Requests, responses and errors, and where to find the full description."),
      chapter("tokens", "Tokens for scripts, pipelines and assistants: scopes, limits, revoking."),
      chapter("api/curl", "Use the API from a shell, step by step."),
      chapter("api/client", "The API as typed TypeScript functions."),
      chapter("api/eden", "The API's own type, for TypeScript with the source at hand."),
      chapter("api/ci", "Install and enable a plugin from a CI pipeline."),
      chapter("mcp", "Let AI assistants administer the installation with the Model Context Protocol."),
      chapter("cli", "The command line: which server it talks to, what it prints, what each command does."),
      chapter("cli-actions", "Each action of the admin area with its API request and its command."),
      {
        path: `${docsPath}/cli-reference`,
        source: null,
        description: "Every command with its arguments, options and examples.",
      },
      chapter("errors", "Every error with its code, status and remedy."),
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

/** A heading below the title; `id` is its anchor. */
export type Heading = { id: string; text: string; depth: number };

/** A chapter taken apart: what comes after the title is `tokens`. */
export type ReadChapter = {
  title: string;
  tokens: Token[];
  /** In the order in which they stand. */
  headings: Heading[];
};

/** Reads a chapter's Markdown. Throws when it does not begin with its title. */
export const readChapter = (name: string, markdown: string): ReadChapter => {
  const [first, ...tokens] = new Lexer({ gfm: true }).lex(markdown);
  if (first === undefined || !isHeading(first) || first.depth !== 1) {
    throw new Error(`${name} does not begin with a title`);
  }
  const known = new Map<string, number>();
  const headings = tokens.filter(isHeading).map((heading) => {
    const text = plainText(heading.tokens);
    const slug = anchorOf(text);
    const times = known.get(slug) ?? 0;
    known.set(slug, times + 1);
    return { id: times === 0 ? slug : `${slug}-${times}`, text, depth: heading.depth };
  });
  return { title: plainText(first.tokens), tokens, headings };
};

export const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";

/** What readers see of some Markdown, without its marks; blocks and cells are apart by a blank. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens.map(textOf).join("").replace(/\s+/g, " ").trim();

const textOf = (token: Token): string => {
  if (token.type === "table") {
    const cells = [...asCells(token.header), ...asRows(token.rows).flat()];
    return ` ${cells.map(({ tokens }) => plainText(tokens)).join(" ")} `;
  }
  if (token.type === "list")
    return ` ${asCells(token.items)
      .map(({ tokens }) => plainText(tokens))
      .join(" ")} `;
  const isBlock = blocks.has(token.type);
  const inner = "tokens" in token && token.tokens ? token.tokens.map(textOf).join("") : words(token);
  return isBlock ? ` ${inner} ` : inner;
};

const blocks = new Set(["paragraph", "heading", "code", "blockquote", "list_item", "space", "hr"]);

const words = (token: Token): string => {
  if (token.type === "space" || token.type === "br" || token.type === "hr") return " ";
  return "text" in token && typeof token.text === "string" ? token.text : "";
};

type Cell = { tokens: Token[] };

/** The parser's type for tables and lists is open; these are its shapes. */
const asCells = (cells: unknown): Cell[] => cells as Cell[];
const asRows = (rows: unknown): Cell[][] => rows as Cell[][];

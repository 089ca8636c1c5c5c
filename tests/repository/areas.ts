import { shippedPluginNames } from "#contract/plugin-names.ts";

/** A part of the source, and what its code may import as a value. Type imports are free. */
export type Area = {
  name: string;
  /** Globs below the project folder; a file belongs to the first area that matches. */
  files: readonly string[];
  /** Areas it may import, `*` all of them. `own x` means the part of `x` in the same module, feature or plugin. */
  imports: readonly string[];
  /** Packages and built-ins that it must not import; a name covers everything below it. */
  refuses: readonly string[];
};

const web = ["elysia", "@elysiajs", "@sinclair/typebox"];
const sql = ["drizzle-orm", "postgres", "@electric-sql/pglite"];
const drivers = [...sql, "ioredis", "nodemailer", "@aws-sdk"];
const browser = ["react", "react-dom", "wouter", "zustand"];
const input = [
  "node:fs",
  "node:net",
  "node:http",
  "node:https",
  "node:child_process",
  "node:worker_threads",
  "bun",
];
const everything = [""];

/** Whatever of a shipped plugin matches `rest`. */
const ofPlugins = (rest: string): string[] => shippedPluginNames.map((name) => `src/plugins/${name}/${rest}`);

const moduleParts = ["own module contract", "own operation", "own store", "own index"];
const api = [
  "contract",
  "core",
  "door",
  "config",
  "db",
  "adapters",
  "fields",
  "module contract",
  "contract list",
  "operation",
  "store",
  "wire",
  "index",
];

/** Who may import whom. Whatever is not named here is not allowed; an area may always import itself, unless scoped. */
const areas: readonly Area[] = [
  // Tests look at anything; that nothing but tests imports them follows from their standing in no other row.
  {
    name: "testing",
    files: ["src/**/*.test.{ts,tsx}", "src/{api,cli,ui}/testing/**", "src/plugins/*/test/**"],
    imports: ["*"],
    refuses: [],
  },
  // What a build calls itself: data, which everything that says the site's name begins with.
  { name: "own site", files: ["src/plugins/own-site.ts"], imports: [], refuses: everything },
  { name: "contract", files: ["src/api/contract/**"], imports: ["own site"], refuses: everything },
  // Runs at its users', without anything of this project.
  { name: "client", files: ["src/client/**"], imports: [], refuses: everything },
  { name: "sdk", files: ["src/plugins/sdk/**"], imports: [], refuses: everything },
  {
    name: "core",
    files: ["src/api/core/**"],
    imports: ["contract"],
    refuses: [...web, ...drivers, ...browser, ...input],
  },
  {
    name: "config",
    files: ["src/api/config.ts", "src/api/config/**"],
    imports: ["core", "contract"],
    refuses: [...web, ...drivers, ...browser],
  },
  { name: "db", files: ["src/api/db/**"], imports: ["core", "contract"], refuses: [...web, ...browser] },
  {
    name: "adapters",
    files: ["src/api/adapters/**"],
    imports: ["core", "contract"],
    refuses: [...web, ...sql, ...browser],
  },
  {
    name: "door",
    files: ["src/api/door/**"],
    imports: ["core", "contract"],
    refuses: [...drivers, ...browser, ...input],
  },
  {
    name: "fields",
    files: ["src/api/modules/{fields,kit,section-fields,download}.ts"],
    imports: ["core", "contract"],
    refuses: [...drivers, ...browser, ...input],
  },
  // What an operation is, in words and schemas: for every door, none of which it may load.
  {
    name: "module contract",
    // A module with many has several: those of `contract/` are its parts.
    files: ["src/api/modules/*/contract.ts", "src/api/modules/*/contract/**"],
    imports: ["own module contract", "contract"],
    refuses: everything,
  },
  {
    name: "contract list",
    files: ["src/api/operations.ts", "src/api/place-operation.ts"],
    imports: ["module contract", "contract", "product list"],
    refuses: everything,
  },
  // What features of a product import as `#app`, `#app/db` and `#app/mail`.
  {
    name: "app sdk",
    files: ["src/api/app-sdk.ts"],
    imports: ["core", "contract"],
    refuses: everything,
  },
  { name: "app db", files: ["src/api/app-db.ts"], imports: ["core", "contract", "db"], refuses: everything },
  { name: "app mail", files: ["src/api/app-mail.ts"], imports: ["index"], refuses: everything },
  { name: "app settings", files: ["src/api/app-settings.ts"], imports: ["contract"], refuses: everything },
  {
    name: "store",
    files: ["src/api/modules/*/store.ts", "src/api/modules/*/*-store.ts"],
    imports: ["core", "contract", "db", "own module contract", "own operation", "own store", "index"],
    refuses: [...web, ...browser, ...input],
  },
  { name: "index", files: ["src/api/modules/*/index.ts"], imports: moduleParts, refuses: everything },
  {
    name: "wire",
    // A module with many calls has several: `provider-routes.ts` beside `routes.ts`.
    files: ["src/api/modules/*/{routes,model}.ts", "src/api/modules/*/*-{routes,model}.ts"],
    imports: [...moduleParts, "contract", "fields"],
    refuses: [...drivers, ...browser, ...input],
  },
  {
    name: "operation",
    files: ["src/api/modules/*/**"],
    imports: ["core", "contract", "own module contract", "own operation", "own store", "index"],
    refuses: [...web, ...drivers, ...browser, ...input],
  },
  {
    // Takes the template's files as texts, and runs none of them.
    name: "template texts",
    files: ["src/api/plugin-host/author/template-files.ts"],
    imports: ["plugin", "plugin frontend", "testing"],
    refuses: everything,
  },
  {
    name: "server",
    files: [
      "src/api/http/**",
      "src/api/plugin-host/**",
      "src/api/backups/**",
      "src/api/{app,declare-routes,eden,load-features,services,peek-redis,peek-support,take-key}.ts",
    ],
    // Of the SDK the texts that new plugins are made of.
    imports: [...api, "sdk", "template texts"],
    refuses: [...browser],
  },
  {
    name: "composition root",
    files: ["src/cli/main.ts", "src/cli/opening.ts"],
    imports: ["cli", "server", "door", "config", "db", "adapters", "first-party", "core", "contract"],
    refuses: browser,
  },
  {
    name: "cli",
    files: ["src/cli/**"],
    imports: ["client", "contract", "module contract", "contract list"],
    refuses: [...web, ...drivers, ...browser],
  },
  {
    name: "feature",
    files: ["src/ui/features/*/**"],
    imports: ["own feature", "components", "ui", "contract", "product list"],
    refuses: [...web, ...drivers, "node", "bun"],
  },
  {
    name: "components",
    files: ["src/ui/components/**"],
    imports: ["ui", "contract"],
    refuses: [...web, ...drivers, "node", "bun"],
  },
  {
    name: "ui",
    files: ["src/ui/**"],
    imports: ["feature", "components", "contract", "product list"],
    refuses: [...web, ...drivers, "node", "bun"],
  },
  {
    name: "first-party",
    files: ["src/plugins/first-party.ts", "src/plugins/released-contents.json"],
    imports: ["plugin"],
    refuses: everything,
  },
  {
    name: "plugin frontend",
    files: [...ofPlugins("frontend/**"), "src/plugins/sdk/**/frontend/**"],
    // What the host shares with plugins they import as `@atrium/plugin-sdk`, like anybody's plugin.
    imports: ["own plugin", "own plugin frontend"],
    refuses: [...web, ...drivers],
  },
  { name: "plugin", files: ofPlugins("**"), imports: ["own plugin"], refuses: [...web, ...drivers] },
  // Who builds a product on Atrium has features in the folders beside: what the command line loads of them is data.
  {
    name: "product list",
    files: ["src/plugins/{own,own-calls,own-pages}.ts"],
    imports: ["product feature declaration", "product feature page"],
    refuses: everything,
  },
  {
    name: "product feature declaration",
    files: ["src/plugins/*/feature.ts"],
    imports: ["app sdk", "own product feature contract", "own product feature fields", "own product feature"],
    refuses: everything,
  },
  // Data for server, terminal and pages.
  {
    name: "product feature fields",
    files: ["src/plugins/*/{fields,settings}.ts"],
    imports: ["app settings"],
    refuses: everything,
  },
  {
    name: "product feature contract",
    files: ["src/plugins/*/contract.ts"],
    imports: ["app sdk", "contract", "own product feature fields"],
    refuses: everything,
  },
  // What browsers get.
  {
    name: "product feature page",
    files: ["src/plugins/*/pages.ts", "src/plugins/*/*-{page,card,dialog}.tsx", "src/plugins/*/client.ts"],
    imports: ["own product feature page", "own product feature fields", "ui", "components", "contract"],
    refuses: [...web, ...drivers, "node", "bun"],
  },
  { name: "product feature", files: ["src/plugins/*/**"], imports: ["*"], refuses: [] },
];

/** Areas that fall into parts which must not reach into each other: the folder that bounds a part. */
const scopes = [/^src\/api\/modules\/[^/]+\//, /^src\/ui\/features\/[^/]+\//, /^src\/plugins\/[^/]+\//];

/** The module, feature or plugin folder that a file belongs to, or `null`. */
export const scopeOf = (path: string): string | null => {
  for (const scope of scopes) {
    const match = scope.exec(path);
    if (match !== null) return match[0];
  }
  return null;
};

/** The area of a file, or `null` when no row knows it. */
export const areaOf = (path: string): Area | null =>
  areas.find(({ files }) => files.some((pattern) => new Bun.Glob(pattern).match(path))) ?? null;

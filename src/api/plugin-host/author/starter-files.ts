import * as kit from "#plugins/sdk/testing.ts" with { type: "text" };
import { authorTypes } from "./author-types.ts";
import { starterReadme } from "./starter-readme.ts";
import { starterBackend, starterFrontend, starterTest } from "./starter-sources.ts";

/** What a new plugin is. `schema` is where editors find the manifest's schema, `command` how the author calls Atrium. */
export type Starter = { name: string; hasPage: boolean; schema: string; command: string };

/** The files of a new plugin by their paths: it builds, runs and passes its tests as it is. */
export const starterFiles = (starter: Starter): Map<string, string> => {
  const { name, hasPage } = starter;
  const files: [string, string][] = [
    ["plugin.json", manifestOf(starter)],
    ["backend/index.ts", starterBackend],
    ["test/plugin.test.ts", starterTest],
    ["test/atrium-testing.ts", testingFor("../atrium-plugin.d.ts")],
    ["atrium-plugin.d.ts", authorTypes()],
    ["tsconfig.json", tsconfig],
    ["README.md", starterReadme(starter)],
    [".gitignore", "node_modules\n*.zip\n*.pem\n"],
  ];
  if (hasPage) files.push(["frontend/index.ts", starterFrontend], ["frontend/index.css", starterCss(name)]);
  return new Map(files);
};

/** The test kit with its types taken from elsewhere. */
export const testingFor = (types: string): string =>
  String(Reflect.get(kit, "default")).replaceAll('"./types.ts"', JSON.stringify(types));

const manifestOf = ({ name, hasPage, schema }: Starter): string => {
  const words = name.replaceAll("-", " ");
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const frontend = { entry: "frontend/index.js", css: "frontend/index.css", mode: "iframe" };
  const manifest = {
    $schema: schema,
    manifestVersion: 1,
    name,
    version: "0.1.0",
    title,
    description: "Greets whoever asks, and counts how often.",
    type: "Other",
    backend: { entry: "backend/index.js" },
    ...(hasPage ? { frontend } : {}),
    adminPanel: {
      enabled: true,
      // Without a page of its own there is nothing to be led to every day.
      ...(hasPage && { menuItem: { title, description: "Greets whoever asks", icon: "Extension" } }),
      card: { title, description: "Greets whoever asks", icon: "Extension" },
    },
    permissions: [
      { name: "routes", reason: "answers GET /greeting" },
      { name: "storage.kv", reason: "counts how often it was asked" },
      ...(hasPage ? [{ name: "ui.page", reason: "shows the greeting on its page" }] : []),
    ],
    settings: {
      schema: {
        type: "object",
        properties: {
          greeting: { type: "string", title: "Greeting", default: "Hello", minLength: 1, maxLength: 100 },
        },
      },
    },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
};

const tsconfig = `{
  "compilerOptions": {
    "target": "ES2023",
    "lib": ["ES2023", "DOM", "DOM.Iterable"],
    "module": "ESNext",
    "moduleResolution": "bundler",
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "verbatimModuleSyntax": true,
    "allowImportingTsExtensions": true,
    "resolveJsonModule": true,
    "skipLibCheck": true,
    "noEmit": true
  },
  "include": ["backend", "frontend", "atrium-plugin.d.ts"]
}
`;

const starterCss = (
  name: string,
): string => `/* Tailwind with Atrium's colours; compiled when ${name} is built. */
@import "tailwindcss";
`;

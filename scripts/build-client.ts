import { cp, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describeRoutes } from "#api/app.ts";
import packageJson from "../package.json" with { type: "json" };
import type { ApiDocument } from "./client/describe-operations.ts";
import { writeSources } from "./client/write-sources.ts";
import { projectRoot } from "./project-root.ts";

/** Where the built package lies. */
export const clientFolder = join(projectRoot, "dist/client");

/**
 * Builds `@atrium/client` from the API's own description into `folder`: modules and types, without dependencies. Throws
 * when the compiler finds fault with what was generated.
 */
export const buildClient = async (folder = clientFolder): Promise<void> => {
  await mkdir(join(projectRoot, "dist"), { recursive: true });
  // Beside the output: within the project, so that the compiler's own rules for it hold, and on the same disk.
  const work = await mkdtemp(join(projectRoot, "dist/.client-"));
  try {
    const [sources, built] = [join(work, "sources"), join(work, "built")];
    await cp(join(projectRoot, "src/client"), sources, {
      recursive: true,
      filter: (path) => !path.endsWith(".test.ts"),
    });
    const document = await readDocument();
    for (const [name, text] of Object.entries(writeSources(document)))
      await Bun.write(join(sources, name), text);
    await compile(sources, built);
    await nameModules(built);
    await Bun.write(join(built, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    await Bun.write(join(built, "README.md"), readmeText);
    await cp(join(projectRoot, "LICENSE"), join(built, "LICENSE"));
    await rm(folder, { recursive: true, force: true });
    await rename(built, folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
};

/** The API's description without an installation: the routes that every one has. */
const readDocument = async (): Promise<ApiDocument> => {
  const read = describeRoutes({ version: packageJson.version, appUrl: "http://localhost:3000" });
  const written: unknown = await read();
  return written as ApiDocument;
};

const compile = async (sources: string, built: string): Promise<void> => {
  const files = (await readdir(sources)).map((name) => join(sources, name));
  const compiler = join(projectRoot, "node_modules/.bin/tsc");
  const { exitCode, stdout } = Bun.spawnSync(
    [process.execPath, compiler, ...compilerOptions, "--outDir", built, ...files],
    {
      cwd: sources,
    },
  );
  if (exitCode !== 0) throw new Error(`the client does not compile:\n${stdout}`);
};

/** In types the compiler leaves the sources' own endings, which other compilers need not know. */
const nameModules = async (built: string): Promise<void> => {
  for (const name of await readdir(built)) {
    if (!name.endsWith(".d.ts")) continue;
    const text = await Bun.file(join(built, name)).text();
    await Bun.write(join(built, name), text.replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"'));
  }
};

// Without the types of this project's own tools: what browsers have must do.
const compilerOptions = [
  ...[
    "--ignoreConfig",
    "--strict",
    "--declaration",
    "--rewriteRelativeImportExtensions",
    "--verbatimModuleSyntax",
  ],
  ...["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"],
  ...["--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"],
  ...["--lib", "es2023,dom,dom.iterable,dom.asynciterable", "--types", ""],
];

const manifest = {
  name: "@atrium/client",
  version: packageJson.version,
  description: "Typed client for the API of Atrium",
  license: packageJson.license,
  type: "module",
  sideEffects: false,
  // `AbortSignal.any` is what is newest of what it uses.
  engines: { node: ">=20.3" },
  exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
  types: "./index.d.ts",
  files: ["*.js", "*.d.ts"],
};

/** The readme in the client's package. */
export const readmeText = `# @atrium/client

Typed client for the API of Atrium: ES modules and types, without dependencies, for Node 20.3 and newer, Bun and
browsers. Generated from the API description (\`/swagger/json\`) of the version in its package.json.

\`\`\`ts
import { AtriumError, createClient } from "@atrium/client";

const atrium = createClient({ url: "https://atrium.example", token: process.env.ATRIUM_TOKEN });

for (const plugin of await atrium.plugins.list()) console.log(plugin.name, plugin.enabled);

try {
  await atrium.plugins.toggle("firewall", { enabled: true });
} catch (error) {
  if (error instanceof AtriumError && error.code === "CONSENT_REQUIRED") console.log(error.data);
  else throw error;
}
\`\`\`
`;

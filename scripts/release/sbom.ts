import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cyclonedxEsbuildPlugin } from "@cyclonedx/cyclonedx-esbuild";
import { Version } from "@cyclonedx/cyclonedx-library/Spec";
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation";
import packageJson from "../../package.json" with { type: "json" };
import { projectRoot } from "../project-root.ts";
import { buildInFolder } from "./compile-executable.ts";
import type { Ingredient } from "./ingredients.ts";

/** The parts of a CycloneDX document that are read or added to here; each `ref` begins with `name@`. */
type Bom = { components: object[]; dependencies: { ref: string; dependsOn?: string[] }[] };

/**
 * The software bill of materials as CycloneDX 1.6 in JSON: `packages`, and `ingredients`. The same product gives the same
 * bytes. Throws when the result doesn't follow the standard's schema.
 */
export const billOf = async (packages: Bom, ingredients: readonly Ingredient[]): Promise<string> => {
  const bom = structuredClone(packages);
  const rowOf = (name: string) => bom.dependencies.find(({ ref }) => ref.startsWith(`${name}@`));
  for (const { within, license, sha256, ...facts } of ingredients) {
    bom.components.push({
      ...facts,
      "bom-ref": facts.purl,
      licenses: [{ license: { id: license } }],
      hashes: [{ alg: "SHA-256", content: sha256 }],
    });
    const holder = rowOf(within) ?? rowOf(packageJson.name);
    if (holder === undefined) throw new Error("the generator doesn't list the product");
    holder.dependsOn = [...(holder.dependsOn ?? []), facts.purl];
    bom.dependencies.push({ ref: facts.purl });
  }
  const text = `${JSON.stringify(bom, null, 2)}\n`;
  const faults = await new JsonStrictValidator(Version.v1dot6).validate(text);
  if (faults !== null) throw new Error(`the bill of materials is invalid: ${JSON.stringify(faults)}`);
  return text;
};

/** Bundles the server and everything that pages are made of, and has the generator list the packages that went in. */
export const listPackages = async (): Promise<Bom> => {
  const folder = await mkdtemp(join(tmpdir(), "atrium-bill-"));
  try {
    const outputFile = join(folder, "bom.json");
    const built = await buildInFolder(projectRoot, {
      // One entry, because modules that several have in common would be bundled several times. It takes the place of this
      // file, because the generator lists a file that doesn't exist as a component.
      entrypoints: [import.meta.path],
      files: { [import.meta.path]: everything() },
      target: "bun",
      minify: true,
      metafile: true,
      plugins: [plainStyles, generator(outputFile)],
      throw: false,
    });
    if (!built.success) throw new AggregateError(built.logs, "the product could not be bundled");
    return await Bun.file(outputFile).json();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Imports the server, and the sources of the interface and of bundled plugins without their tests. */
const everything = (): string =>
  ["src/cli/main.ts", ...new Bun.Glob("src/{ui,plugins}/**/*.{ts,tsx}").scanSync(projectRoot)]
    .filter((path) => !/\.(?:test|d)\.tsx?$|\/test(?:ing)?\//.test(path))
    .sort()
    // Used as a whole: what nothing uses is left out.
    .map((path) => `console.log(await import(${JSON.stringify(join(projectRoot, path))}));\n`)
    .join("");

/** Bun's own bundler refuses this word of Tailwind's. */
const plainStyles: Bun.BunPlugin = {
  name: "plain styles",
  setup: (build) => {
    build.onLoad({ filter: /\/src\/.*\.css$/ }, async ({ path }) => ({
      contents: (await Bun.file(path).text()).replace(/ source\("[^"]*"\)/, ""),
      loader: "css",
    }));
  },
};

/** It is made for Bun, too, but its types name esbuild alone. */
const generator = (outputFile: string): Bun.BunPlugin =>
  cyclonedxEsbuildPlugin({
    outputFile,
    outputReproducible: true,
    logLevel: "silent",
  }) as unknown as Bun.BunPlugin;

import { join } from "node:path";
import { starterFiles } from "#api/plugin-host/author/starter-files.ts";
import { manifestSchema } from "#contract/plugin-manifest.ts";
import { permissionNames, pluginLimits } from "#contract/plugins.ts";
import { projectRoot } from "./project-root.ts";

const example = join(projectRoot, "src/plugins/sdk/example/site-watch");

/** Everything in the repository that is made of the SDK's types and of the contract, by absolute path. */
export const sdkOutputs = async (): Promise<Map<string, string>> => {
  const starter = starterFiles({ name: "site-watch", hasPage: true, schema: "", command: "atrium" });
  return new Map([
    [join(projectRoot, "docs/plugins/reference.md"), await referencePage()],
    [join(example, "tsconfig.json"), starter.get("tsconfig.json") ?? ""],
  ]);
};

/** What a file of types and functions exports, as Markdown: a heading, the docstring, the declaration of each. */
const exportedTypes = (source: string): string => {
  const pattern =
    /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?^export (type|const) (\w+)([\s\S]*?);\n(?=\n|$|export |type |const |\/\*\*)/gm;
  return [...source.matchAll(pattern)]
    .map(([, comment = "", kind = "", name = "", rest = ""]) => {
      const about = comment
        .replace(/^\s*\* ?/gm, "")
        .trim()
        .replace(/\{@link ([\w.]+)\}/g, "`$1`");
      const declared = kind === "const" ? signatureOf(name, rest) : `type ${name}${rest};`;
      return [`### ${name}`, about, `\`\`\`ts\n${declared}\n\`\`\``].filter(Boolean).join("\n\n");
    })
    .join("\n\n");
};

/** A function without its body. */
const signatureOf = (name: string, rest: string): string => {
  const end = rest.indexOf("=> {");
  return `const ${name}${end === -1 ? rest : `${rest.slice(0, end).trimEnd()} => …`};`;
};

/** The page `docs/plugins/reference.md`. */
const referencePage = async (): Promise<string> => {
  const read = async (file: string) =>
    exportedTypes(await Bun.file(join(projectRoot, "src/plugins/sdk", file)).text());
  return `${[
    "# Plugin reference",
    "Written by `bun scripts/build-plugin-reference.ts` from the SDK's types and the contract; the [guide](guide.md) explains how things go together.",
    "## `plugin.json`",
    table(["field", "must be there", "what it is"], manifestRows(asShape(manifestSchema))),
    "## Permissions",
    permissionNames.map((name) => `\`${name}\``).join(" · "),
    "## Limits",
    "`memoryMB`, `cpuMs` and `wallMs` can be lowered in `plugin.json`; nothing can be raised. Names that end in `Ms` are milliseconds.",
    table(
      ["limit", "value"],
      Object.entries(pluginLimits).map(([name, value]) => [`\`${name}\``, value.toLocaleString("en")]),
    ),
    "## Backend",
    await read("types.ts"),
    "## Frontend",
    await read("frontend-types.ts"),
    "## Test kit",
    await read("testing.ts"),
  ].join("\n\n")}\n`;
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

type Shape = {
  description?: string;
  properties?: Readonly<Record<string, Shape>>;
  required?: readonly string[];
  enum?: readonly unknown[];
  items?: Shape;
};

/** A schema is an object with these fields, or without them. */
const asShape = (schema: object): Shape => schema as Shape;

/** The manifest's fields, those within others with a dotted name; `[]` stands for each entry of a list. */
const manifestRows = (shape: Shape, above = ""): string[][] =>
  Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const path = above === "" ? name : `${above}.${name}`;
    const words = field.enum?.map((word) => `\`${word}\``).join(", ");
    const about = [field.description, words && `One of ${words}.`].filter(Boolean).join(" ");
    const isNeeded = shape.required?.includes(name) === true ? "yes" : "";
    return [
      [`\`${path}\``, isNeeded, about.replaceAll("|", "\\|")],
      ...manifestRows(field, path),
      ...manifestRows(field.items ?? {}, `${path}[]`),
    ];
  });

/** Writes what is made of the plugin SDK's types: `bun scripts/build-plugin-reference.ts`. A test tells when it is due. */
if (import.meta.main) {
  for (const [path, text] of await sdkOutputs()) {
    await Bun.write(path, text);
    console.log(`Wrote ${path}`);
  }
}

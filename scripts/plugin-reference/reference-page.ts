import { join } from "node:path";
import { manifestSchema } from "#contract/plugin-manifest.ts";
import { permissionNames, pluginLimits } from "#contract/plugins.ts";
import { projectRoot } from "../project-root.ts";
import { exportedTypes } from "./exported-types.ts";

/** The page `docs/plugins/reference.md`. */
export const referencePage = async (): Promise<string> => {
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

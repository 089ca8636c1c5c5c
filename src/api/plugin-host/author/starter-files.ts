import { reservedCommandWords } from "#contract/command-words.ts";
import * as frontendTypes from "#plugins/sdk/frontend-types.ts" with { type: "text" };
import * as nativeTypes from "#plugins/sdk/native-types.ts" with { type: "text" };
import * as kit from "#plugins/sdk/testing.ts" with { type: "text" };
import * as types from "#plugins/sdk/types.ts" with { type: "text" };
import { templateFiles, templateManifest } from "./template-files.ts";

/** A new plugin. `schema` is the URL of the manifest's schema for editors, `command` how the author calls Atrium. */
export type Starter = { name: string; hasPage: boolean; schema: string; command: string };

/** The files of a new plugin by path, from the plugin template: it builds, runs and passes its tests as it is. */
export const starterFiles = (starter: Starter): Map<string, string> => {
  const { name, hasPage, command } = starter;
  const sources = [...templateFiles]
    .filter(([path]) => hasPage || !path.startsWith("frontend/"))
    .map(([path, text]): [string, string] => [path, renamed(text, name)]);
  const readme = new Map(sources).get("README.md") ?? "";
  return new Map([
    ["plugin.json", manifestOf(starter)],
    ...sources,
    ["README.md", readmeFor(readme, { hasPage, command })],
    ["test/atrium-testing.ts", testingFor("../atrium-plugin.d.ts")],
    ["atrium-plugin.d.ts", authorTypes()],
    [".gitignore", "node_modules\n*.zip\n*.pem\n"],
  ]);
};

/** The test kit with its types imported from elsewhere. */
const testingFor = (types: string): string =>
  String(Reflect.get(kit, "default")).replaceAll('"./types.ts"', JSON.stringify(types));

/** A text of the template for a plugin of another name; only the template's page has its own URL. */
const renamed = (text: string, name: string): string =>
  text
    .replaceAll("/admin/plugin-template", `/admin/plugins/${name}`)
    .replaceAll("plugin-template", name)
    .replaceAll("Plugin template", titleOf(name));

const titleOf = (name: string): string => {
  const words = name.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const manifestOf = ({ name, hasPage, schema }: Starter): string => {
  const isTaken = reservedCommandWords.some((word) => word === name);
  const word = isTaken ? `${name}-plugin` : name;
  const text = renamed(JSON.stringify(templateManifest), name).replaceAll(
    `atrium ${name} `,
    `atrium ${word} `,
  );
  const manifest = JSON.parse(text);
  manifest.$schema = schema;
  if (isTaken) manifest.commands.word = word;
  if (!hasPage) {
    delete manifest.frontend;
    // Without a page of its own it has nothing to open.
    delete manifest.adminPanel.menuItem;
    manifest.permissions = manifest.permissions.filter((asked: { name: string }) => asked.name !== "ui.page");
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
};

const readmeFor = (text: string, { hasPage, command }: Pick<Starter, "hasPage" | "command">): string =>
  text
    .split("\n")
    .filter((line) => hasPage || !line.includes("its page"))
    .join("\n")
    .replaceAll("atrium plugin ", `${command} plugin `);

/** The types of the SDK in one file without imports: `atrium-plugin.d.ts` of a plugin's folder. */
export const authorTypes = (): string =>
  [
    "// The types of Atrium's plugin SDK. `atrium plugin create` wrote this file; a newer one can take its place.\n",
    "type ComponentType<Props = object> = (props: Props) => unknown;\n",
    textOf(types),
    ...[nativeTypes, frontendTypes].map((more) =>
      textOf(more)
        .replace(/^import type .*\n/gm, "")
        .trimStart(),
    ),
  ].join("\n");

/** The text of a file that was imported as text, which the compiler takes for a module. */
const textOf = (module: object): string => String(Reflect.get(module, "default"));

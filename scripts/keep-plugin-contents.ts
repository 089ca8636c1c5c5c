/**
 * Writes down what the plugins of this version consist of, for a release: `bun scripts/keep-plugin-contents.ts`. A package
 * under the name of a shipped plugin is taken only with the content of a release. What was written before stays, since
 * somebody may have it.
 */
import { join } from "node:path";
import { buildFolder } from "#api/plugin-host/author/build-folder.ts";
import { contentHash } from "#api/plugin-host/package/content-hash.ts";
import { packFolder } from "#api/plugin-host/package/pack.ts";
import { readZip } from "#api/plugin-host/package/read-zip.ts";
import packageJson from "../package.json" with { type: "json" };
import kept from "../src/plugins/released-contents.json" with { type: "json" };
import { shippedNames } from "./build-plugins.ts";
import { projectRoot } from "./project-root.ts";

const releases: Record<string, Record<string, string>> = kept;
const { version } = packageJson;
const contents: Record<string, string> = {};
for (const name of await shippedNames())
  contents[name] = await contentHash(
    await readZip(packFolder(await buildFolder(join(projectRoot, "src/plugins", name)))),
  );
const before = releases[version];
if (before !== undefined && !Bun.deepEquals(before, contents)) {
  console.error(`The plugins of ${version} are written down with another content. Raise the version first.`);
  process.exit(1);
}
const path = join(projectRoot, "src/plugins/released-contents.json");
await Bun.write(path, `${JSON.stringify({ ...releases, [version]: contents }, null, 2)}\n`);
console.log(`Wrote ${path}`);

/**
 * Writes down what the plugins of this version consist of, for a release: `bun scripts/keep-plugin-contents.ts`. A package
 * under the name of a shipped plugin is taken only with the content of a release; no release is built without it. What was
 * recorded before stays, because that version may be in use.
 */
import { join } from "node:path";
import packageJson from "../package.json" with { type: "json" };
import { projectRoot } from "./project-root.ts";
import { contentsProblem, currentContents, keptContents } from "./release/plugin-contents.ts";

const { version } = packageJson;
const contents = await currentContents();
const releases = { [version]: contents, ...keptContents };
const problem = contentsProblem(version, contents, releases);
if (problem !== null) {
  console.error(problem);
  process.exit(1);
}
const path = join(projectRoot, "src/plugins/released-contents.json");
await Bun.write(path, `${JSON.stringify({ ...keptContents, [version]: contents }, null, 2)}\n`);
console.log(`Wrote ${path}`);

import { join } from "node:path";
import { authorTypes } from "#api/plugin-host/author/author-types.ts";
import { starterFiles, testingFor } from "#api/plugin-host/author/starter-files.ts";
import { projectRoot } from "../project-root.ts";
import { referencePage } from "./reference-page.ts";

const example = join(projectRoot, "src/plugins/sdk/example/site-watch");
const template = join(projectRoot, "src/plugins/plugin-template");

/** Everything in the repository that is made of the SDK's types and of the contract, by absolute path. */
export const sdkOutputs = async (): Promise<Map<string, string>> => {
  const starter = starterFiles({ name: "site-watch", hasPage: true, schema: "", command: "atrium" });
  return new Map([
    [join(projectRoot, "docs/plugins/reference.md"), await referencePage()],
    [join(example, "atrium-plugin.d.ts"), authorTypes()],
    [join(example, "test/atrium-testing.ts"), testingFor("../atrium-plugin.d.ts")],
    [join(template, "atrium-plugin.d.ts"), authorTypes()],
    [join(template, "test/atrium-testing.ts"), testingFor("../atrium-plugin.d.ts")],
    [join(example, "tsconfig.json"), starter.get("tsconfig.json") ?? ""],
  ]);
};

import { join } from "node:path";
import { starterFiles } from "#api/plugin-host/author/starter-files.ts";
import { projectRoot } from "../project-root.ts";
import { referencePage } from "./reference-page.ts";

const example = join(projectRoot, "src/plugins/sdk/example/site-watch");

/** Everything in the repository that is made of the SDK's types and of the contract, by absolute path. */
export const sdkOutputs = async (): Promise<Map<string, string>> => {
  const starter = starterFiles({ name: "site-watch", hasPage: true, schema: "", command: "atrium" });
  return new Map([
    [join(projectRoot, "docs/plugins/reference.md"), await referencePage()],
    [join(example, "tsconfig.json"), starter.get("tsconfig.json") ?? ""],
  ]);
};

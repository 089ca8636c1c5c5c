import { join } from "node:path";
import { projectRoot } from "../project-root.ts";

/** A script that needs nothing of the application, as one small text; `file` is below src/ui. Throws when it cannot be built. */
export const bundleScript = async (file: string, format: "iife" | "esm"): Promise<string> => {
  const { outputs } = await Bun.build({
    entrypoints: [join(projectRoot, "src/ui", file)],
    target: "browser",
    format,
    minify: true,
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${file} was not built`);
  return (await output.text()).trim();
};

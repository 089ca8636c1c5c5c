import { existsSync } from "node:fs";
import { join } from "node:path";
import { compileTargets, ownTarget, type TargetName } from "./targets.ts";

/** The runtime that the compiler puts the product into: this one on machines of its kind, else the one that it fetched. Throws before it has. */
export const runtimeFile = (target: TargetName): string => {
  if (target === ownTarget()) return process.execPath;
  const { stdout } = Bun.spawnSync([process.execPath, "pm", "cache"]);
  const name = compileTargets[target].replace("arm64", "aarch64");
  const path = join(stdout.toString().trim(), `${name}-v${Bun.version}`);
  if (!existsSync(path)) throw new Error(`the runtime of ${target} is not at ${path}`);
  return path;
};

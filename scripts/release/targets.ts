import { existsSync, readFileSync } from "node:fs";

/** Machines that executables are made for, by the name in the file's own name, and the runtime that each gets. */
export const compileTargets = {
  "linux-x64": "bun-linux-x64",
  "linux-arm64": "bun-linux-arm64",
  "linux-x64-musl": "bun-linux-x64-musl",
  "linux-arm64-musl": "bun-linux-arm64-musl",
  "darwin-x64": "bun-darwin-x64",
  "darwin-arm64": "bun-darwin-arm64",
} as const;

export type TargetName = keyof typeof compileTargets;
export type CompileTarget = (typeof compileTargets)[TargetName];

/** Narrows a word from the command line. */
export const isTargetName = (word: string): word is TargetName => word in compileTargets;

export const allTargets = Object.keys(compileTargets).filter(isTargetName);

/** The kind of a machine, which need not be among the targets, from what the runtime on it says and has loaded. */
export const kindOf = ({ platform, arch, loaded }: { platform: string; arch: string; loaded: string }) =>
  // Not by what lies on the disk: with musl's tools or a layer for programs of the other kind, both loaders are there.
  `${platform}-${arch}${/\/ld-musl-\w+\.so/.test(loaded) ? "-musl" : ""}`;

/** This machine's own kind. */
export const ownTarget = (): string => {
  const { platform, arch } = process;
  const maps = "/proc/self/maps";
  return kindOf({ platform, arch, loaded: existsSync(maps) ? readFileSync(maps, "utf8") : "" });
};

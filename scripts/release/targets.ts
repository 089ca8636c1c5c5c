import { existsSync } from "node:fs";

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

/** This machine's own kind, which need not be among the targets. */
export const ownTarget = (): string => {
  const isMusl =
    process.platform === "linux" && !existsSync("/lib64/ld-linux-x86-64.so.2") && process.arch === "x64";
  return `${process.platform}-${process.arch}${isMusl ? "-musl" : ""}`;
};

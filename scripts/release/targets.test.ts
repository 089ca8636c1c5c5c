import { expect, test } from "bun:test";
import { isTargetName, kindOf, ownTarget } from "./compile-executable.ts";

const mapped = (loader: string) =>
  `7f12c4000000-7f12c4028000 r--p 00000000 08:01 131 ${loader}\n7ffd1a000000-7ffd1a021000 rw-p 00000000 00:00 0 [stack]\n`;

test.each([
  ["linux", "x64", mapped("/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"), "linux-x64"],
  ["linux", "arm64", mapped("/usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1"), "linux-arm64"],
  ["linux", "x64", mapped("/lib/ld-musl-x86_64.so.1"), "linux-x64-musl"],
  ["linux", "arm64", mapped("/lib/ld-musl-aarch64.so.1"), "linux-arm64-musl"],
  ["darwin", "arm64", "", "darwin-arm64"],
])("a machine with %s on %s is told by the loader that the runtime uses", (platform, arch, loaded, kind) => {
  expect(kindOf({ platform, arch, loaded })).toBe(kind);
  expect(isTargetName(kind)).toBe(true);
});

test("this machine's kind begins with what the runtime says of it", () => {
  expect(ownTarget()).toStartWith(`${process.platform}-${process.arch}`);
});

import { expect, test } from "bun:test";
import { crashReason } from "./errors.ts";

const crash = (message: string): string => `242 |     if (typeof offset === "number")
243 |       length ??= buffer.byteLength - offset;
          ^
${message}
 syscall: "write",
   errno: -28,
    code: "ENOSPC"

      at writeFile (node:fs/promises:242:19)
      at /$bunfs/root/atrium:4:1

Bun v1.4.5 (Linux x64)
`;

test("of the dump that the runtime prints, only what went wrong is told", () => {
  expect(crashReason(crash("ENOSPC: no space left on device, write"))).toBe(
    "ENOSPC: no space left on device, write",
  );
  expect(crashReason(crash("error: the first line\nthe second"))).toBe("the first line");
});

test("a process that said nothing has no last words, and one that said much has few", () => {
  expect(crashReason("\n")).toBe("");
  expect(crashReason("x".repeat(5000))).toHaveLength(200);
});

import { expect, test } from "bun:test";
import { manPage } from "#cli/commands/man.ts";
import { unrunProgram } from "#cli/testing/command-tree.ts";

test("groff warns of nothing in the manual page, and prints what was meant", async () => {
  const child = Bun.spawn(["groff", "-man", "-Tutf8", "-P-cbou", "-ww"], {
    stdin: new Blob([manPage(unrunProgram(), "1.2.3")]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect([err, await child.exited]).toEqual(["", 0]);
  expect(out).toContain("--recipient <age1…>");
  expect(out).toContain("ssh backup@vault 'cat > atrium.tar.zst'");
});

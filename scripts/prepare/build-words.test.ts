import { expect, test } from "bun:test";
import { join } from "node:path";

const script = join(import.meta.dir, "..", "build.ts");

const build = async (...words: string[]) => {
  const child = Bun.spawn([process.execPath, script, ...words], { stdout: "pipe", stderr: "pipe" });
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
};

test("the build says how it is called, on demand and when it is called wrongly, and builds nothing then", async () => {
  const help = await build("--help");
  expect([help.code, help.err]).toEqual([0, ""]);
  expect(help.out).toContain("bun run build --target");
  for (const words of [["--target"], ["--nonsense"]]) {
    const { code, out, err } = await build(...words);
    expect([words, code, out]).toEqual([words, 2, ""]);
    expect(err).toEndWith(help.out);
    expect(err).not.toContain("TypeError");
    expect(err).not.toContain("Building");
  }
}, 30_000);

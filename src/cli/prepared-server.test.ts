import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const mainFile = join(import.meta.dir, "main.ts");
const folder = mkdtempSync(join(tmpdir(), "atrium-prepared-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a server whose preparation says so and goes on for ever, and waits for its end. */
const serve = async (env: Record<string, string>) => {
  const program = `
    const { main } = await import(${JSON.stringify(mainFile)});
    await main(["serve"], () => { console.log("prepares"); setInterval(() => {}, 1000); return new Promise(() => {}); });`;
  const child = Bun.spawn([process.execPath, "--no-env-file", "-e", program], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out, err };
};

test("a wrong configuration is told of before anything is prepared or made", async () => {
  const { code, out, err } = await serve({ DATA_DIR: join(folder, "none"), PORT: "none" });
  expect([code, out]).toEqual([78, ""]);
  expect(err).toContain("PORT");
  expect(readdirSync(folder)).not.toContain("none");
}, 30_000);

test("a database that cannot be opened is told of while the rest is still being prepared", async () => {
  await Bun.write(join(folder, "data/database"), "no folder");
  const { code, out, err } = await serve({ DATA_DIR: join(folder, "data") });
  expect([code !== 0, out]).toEqual([true, "prepares\n"]);
  expect(err).toContain(join(folder, "data/database"));
}, 30_000);

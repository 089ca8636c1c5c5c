import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atrium-issue-"));
});
afterAll(() => rm(folder, { recursive: true }));

const run = async (words: string[], input = "") => {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "issue-licence.ts"), ...words], {
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [code, out, err] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code, out: out.trim(), err };
};

test("an issuer creates a key pair, issues a license that is valid through its last day, and verifies it", async () => {
  const pem = join(folder, "issuer.pem");
  const { out: publicKey } = await run(["keygen", "--out", pem]);
  expect((await stat(pem)).mode & 0o777).toBe(0o600);
  expect((await run(["public-key", "--key", pem])).out).toBe(publicKey);
  const words = ["--owner", "Northwind", "--plan", "Business", "--expires", "2999-12-31", "--grace", "7"];
  const { out: key } = await run(["issue", "--key", "-", ...words], await readFile(pem, "utf8"));
  const verified = await run(["verify", "--public", publicKey], key);
  expect(JSON.parse(verified.out)).toMatchObject({
    ...{ state: "active", owner: "Northwind", plan: "Business", graceDays: 7 },
    expiresAt: "3000-01-01T00:00:00.000Z",
  });
  const altered = await run(["verify", "--public", publicKey], key.replace("atrium1.ey", "atrium1.fy"));
  expect(altered).toMatchObject({ code: 1, out: "" });
});

test("a private key is never overwritten, and never printed in an error", async () => {
  const pem = join(folder, "kept.pem");
  await run(["keygen", "--out", pem]);
  const before = await readFile(pem, "utf8");
  expect((await run(["keygen", "--out", pem])).code).toBe(1);
  expect(await readFile(pem, "utf8")).toBe(before);
  const [, secret = ""] = before.split("\n");
  for (const words of [
    ["issue", "--key", pem, "--owner", "Northwind"],
    ["issue", "--key", pem, "--owner", "a\nb", "--plan", "P"],
    ["issue", "--key", pem, "--owner", "N", "--plan", "P", "--expires", "soon"],
    ["issue", "--key", pem, "--owner", "N", "--plan", "P", "--expires", "2020-01-01"],
    ["issue", "--key", pem, "--owner", "N", "--plan", "P", "--grace", "x"],
    ["verify", "--public", secret],
  ]) {
    const { code, out, err } = await run(words);
    expect([words, code, out]).toEqual([words, 1, ""]);
    expect(err).not.toContain(secret);
  }
  expect((await run([])).err).toContain("Usage:");
});

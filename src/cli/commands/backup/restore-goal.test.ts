import { afterAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { manifest, report, toolsFor } from "#cli/testing/restore-tools.ts";
import { run } from "#cli/testing/run.ts";

const folder = makeDataFolder();
afterAll(folder.remove);
const file = join(folder.path, "atrium.tar.zst");
writeFileSync(file, "bytes of a backup");

const url = "postgres://ada:secret-word@db.example:5433/atrium";

test("names the server's database that is replaced, without its password, and where the former state is kept", async () => {
  const { world } = toolsFor();
  const onPostgres = { ...world, env: { DATABASE_URL: url } };
  const shown = async (...words: string[]) => {
    const { out, err } = await run(["restore", file, ...words], { ...onPostgres, typed: ["y"] });
    expect(out + err).not.toContain("secret-word");
    return `${err}${out}`;
  };
  const name = 'the PostgreSQL database "atrium" on db.example:5433';
  expect(await shown("--plan")).toContain(
    `It would be restored into ${name} (data folder /nonexistent/atrium); all data of the installation there would be replaced and saved in /nonexistent/atrium/backups\n`,
  );
  expect(await shown("--plan", "--replace")).toContain("would be replaced, without a backup (--replace)\n");
  expect(await shown("--yes")).toContain(`Restored into ${name}`);
  expect(await shown()).toContain(`the installation in ${name}`);
  const embedded = await run(["restore", file, "--plan"], world);
  expect(embedded.out).toContain(
    "into /nonexistent/atrium; all data of the installation there would be replaced and saved in /nonexistent/atrium/database.replaced-<time>\n",
  );
  const rows = { manifest, rows: {}, objects: 0, key: "same" } as const;
  const plan = async () => ({ ...rows, complaint: null, isReplacing: false });
  const empty = await run(["restore", file, "--plan"], toolsFor({ plan }).world);
  expect(empty.out).toContain("into /nonexistent/atrium; there is nothing to replace\n");
});

test("says that each start needs APP_SECRET where the key came from there and lies in no file", async () => {
  const { world } = toolsFor();
  const words = ["restore", file, "--yes"];
  const dataDir = mkdtempSync(join(folder.path, "keyed-"));
  const env = { DATA_DIR: dataDir, APP_SECRET: randomBytes(48).toString("base64") };
  const told = "set APP_SECRET for every start and command";
  expect((await run(words, { ...world, env })).out).toContain(told);
  writeFileSync(join(dataDir, "app.key"), "another key\n");
  expect((await run(words, { ...world, env })).out).toContain(told);
  writeFileSync(join(dataDir, "app.key"), `${env.APP_SECRET}\n`);
  expect((await run(words, { ...world, env })).out).not.toContain(told);
  expect((await run(words, { ...world, env: { DATA_DIR: dataDir } })).out).not.toContain(told);
  const keyless = async () => ({ ...report, manifest: { ...manifest, keyFingerprint: null } });
  const bare = { ...toolsFor({ restore: keyless }).world, env: { ...env, DATA_DIR: "/nonexistent" } };
  expect((await run(words, bare)).out).not.toContain(told);
});

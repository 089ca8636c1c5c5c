import { afterAll, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { refusal, run, success } from "#cli/testing/run.ts";

const folder = makeDataFolder();
afterAll(folder.remove);

const name = "atrium-20261121T030000Z-0a1b2c.tar.zst";
const answer = ({ url }: Request): Response =>
  url.endsWith("/download")
    ? new Response("the bytes", { headers: { "content-disposition": `attachment; filename="${name}"` } })
    : success({ backups: [{ name, place: "storage", sizeBytes: 9 }] });

test("a kept backup is saved byte for byte, for its owner alone, from where it lies", async () => {
  const out = join(folder.path, "saved.tar.zst");
  const words = ["backup", "download", name, "--out", out];
  const saved = await run(words, { answer });
  expect(saved).toMatchObject({ code: 0, out: `Saved 9 bytes to ${out}\n` });
  expect([readFileSync(out, "utf8"), statSync(out).mode & 0o777]).toEqual(["the bytes", 0o600]);
  expect(new URL(saved.calls.at(-1)?.url ?? "").pathname).toEndWith(`/backups/storage/${name}/download`);
  const other = `${out}.json`;
  const told = await run([...words.slice(0, -1), other, "--json"], { answer });
  expect(await fitsSchema("backup download", told.out)).toEqual({ file: other, sizeBytes: 9 });
});

test("nothing is written over a file that is there, and nothing is asked for", async () => {
  const out = join(folder.path, "there.tar.zst");
  writeFileSync(out, "another backup");
  const { code, err, calls } = await run(["backup", "download", name, "--out", out], { answer });
  expect([code, calls, readFileSync(out, "utf8")]).toEqual([2, [], "another backup"]);
  expect(err).toContain(out);
});

test("one that is not kept ends with 1, and nothing is written", async () => {
  const out = join(folder.path, "none.tar.zst");
  const { code, err } = await run(["backup", "download", "other", "--out", out], { answer });
  expect([code, err]).toEqual([1, "error: backup not found: other\n"]);
  expect(await Bun.file(out).exists()).toBeFalse();
});

test("without --out is wrong usage, and nothing is asked for", async () => {
  const { code, err, calls } = await run(["backup", "download", name], { answer });
  expect([code, calls]).toEqual([2, []]);
  expect(err).toContain("add --out FILE");
});

test("the backup that is being made is canceled; without one that ends with 1", async () => {
  const message = "The backup was canceled";
  const cancelled = () => Response.json({ success: true, message });
  const { code, out, calls } = await run(["backup", "cancel"], { answer: cancelled });
  expect([code, out]).toEqual([0, `${message}\n`]);
  expect(calls.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    "DELETE /api/admin/backups/run",
  ]);
  const told = await run(["backup", "cancel", "--json"], { answer: cancelled });
  await fitsSchema("backup cancel", told.out);
  const none = () => refusal(409, "CONFLICT", "No backup is running");
  expect((await run(["backup", "cancel"], { answer: none })).code).toBe(1);
});

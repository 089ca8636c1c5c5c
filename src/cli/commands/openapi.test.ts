import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { ok, plugin } from "#cli/testing/plugins.ts";
import { refusal, run } from "#cli/testing/run.ts";

const document = { openapi: "3.1.0", paths: { "/api/notes": {} } };
const plugins = [
  plugin,
  { ...plugin, name: "sleeping", enabled: false },
  { ...plugin, name: "firewall", enabled: true },
];
const answer = ({ url }: Request) => (url.endsWith("/swagger/json") ? Response.json(document) : ok(plugins));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "atrium-openapi-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("openapi prints the document as JSON, and nothing else", async () => {
  const { code, out, err } = await run(["openapi"], { answer });
  expect([code, await fitsSchema("openapi", out), err]).toEqual([0, document, ""]);
});

test("without a server the enabled plugins are started for it, and no others", async () => {
  const { started, isClosed } = await run(["openapi"], { answer });
  const enabled = plugins.filter((each) => each.enabled).map(({ name }) => name);
  expect([started, isClosed]).toEqual([enabled, true]);
});

test("without an installation the document is that of every one, and none is begun", async () => {
  const composition = {
    hasDatabase: () => false,
    describeApi: async () => ({ openapi: "3.1.0", paths: {} }),
    openApp: () => Promise.reject(new Error("an app was opened")),
  };
  const { code, out } = await run(["openapi"], { composition });
  expect([code, JSON.parse(out)]).toEqual([0, { openapi: "3.1.0", paths: {} }]);
});

test("--out writes the document to a file and tells how large it is", async () => {
  const file = join(folder, "openapi.json");
  const { code, out } = await run(["openapi", "--out", file], { answer });
  const text = await readFile(file, "utf8");
  expect([code, JSON.parse(text)]).toEqual([0, document]);
  expect(out).toMatch(/^Saved .+ to .+openapi\.json\n$/);
  const told = await run(["openapi", "--out", file, "--json"], { answer });
  expect(await fitsSchema("openapi", told.out)).toEqual({ file, sizeBytes: text.length });
});

test("what the server refuses, and what is no document, is a failure that leaves no file", async () => {
  const file = join(folder, "none.json");
  const refuse = ({ url }: Request) =>
    url.endsWith("/swagger/json") ? refusal(429, "RATE_LIMITED", "Slow down") : ok([]);
  const refused = await run(["openapi", "--out", file], { answer: refuse });
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("Slow down")]);
  const page = ({ url }: Request) => (url.endsWith("/swagger/json") ? new Response("<html>") : ok([]));
  expect((await run(["openapi", "--out", file], { answer: page })).code).toBe(3);
  expect(await Bun.file(file).exists()).toBe(false);
});

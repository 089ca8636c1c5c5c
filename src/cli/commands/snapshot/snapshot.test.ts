import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliFailure } from "#cli/failure.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { refusal, run, success } from "#cli/testing/run.ts";
import { snapshotTexts } from "#contract/backup-texts.ts";

const snapshots = [
  {
    name: "2026-11-21T14-30-00Z-before-1.1.0",
    madeAt: "2026-11-21T14:30:00.000Z",
    sizeBytes: 1_250_000,
    before: "1.1.0",
  },
  { name: "2026-11-21T14-15-00Z", madeAt: "2026-11-21T14:15:00.000Z", sizeBytes: 1_200_000, before: null },
];
const composition = { listSnapshots: async () => snapshots };

test("lists the snapshots, newest first, without a server and without opening the database", async () => {
  const { code, out, calls } = await run(["snapshot", "list"], { composition });
  expect(code).toBe(0);
  expect(calls).toEqual([]);
  expect(out).toBe(
    "2026-11-21T14-30-00Z-before-1.1.0\t2026-11-21 14:30:00Z\t1.3 MB\t1.1.0\n2026-11-21T14-15-00Z\t2026-11-21 14:15:00Z\t1.2 MB\t\n",
  );
  const asJson = await run(["snapshot", "list", "--json"], { composition });
  expect(await fitsSchema("snapshot list", asJson.out)).toEqual({ snapshots });
});

test("a narrow terminal leaves the time out, which the name tells too, and cuts neither", async () => {
  const shown = async (columns: number) =>
    Bun.stripANSI((await run(["snapshot", "list"], { composition, isTerminal: true, columns })).out);
  const narrow = await shown(60);
  expect(narrow).not.toContain("…");
  expect(narrow).toContain("2026-11-21T14-30-00Z-before-1.1.0");
  expect(narrow).toContain("Columns that don't fit: CREATED AT");
  expect(await shown(100)).toContain("2026-11-21 14:30:00Z");
});

test("says that there are none and what makes one, beside an empty result for a program", async () => {
  const shown = await run(["snapshot", "list"], { isTerminal: true });
  expect(shown.out).toStartWith("There are no snapshots. A server with the embedded database creates one");
  expect(shown.out).toContain("atrium snapshot create");
  const piped = await run(["snapshot", "list"]);
  expect([piped.code, piped.out]).toEqual([0, ""]);
  expect(piped.err).toContain("atrium snapshot create");
  const asJson = await run(["snapshot", "list", "--json"]);
  expect([JSON.parse(asJson.out), asJson.err]).toEqual([{ snapshots: [] }, ""]);
});

test("says with PostgreSQL that there are none and never will be, by the word of the server that runs here", async () => {
  const told = "There are no snapshots. Only the embedded database has snapshots; use atrium backup instead";
  const env = { DATABASE_URL: "postgres://db.example/atrium" };
  expect((await run(["snapshot", "list"], { env, isTerminal: true })).out).toBe(`${told}\n`);
  expect(await run(["snapshot", "list"], { env })).toMatchObject({ code: 0, out: "", err: `${told}\n` });
  expect(JSON.parse((await run(["snapshot", "list", "--json"], { env })).out)).toEqual({ snapshots: [] });
  const dataDir = mkdtempSync(join(tmpdir(), "atrium-snapshots-"));
  const server = Bun.serve({
    unix: join(dataDir, "control.sock"),
    fetch: () => success({ database: { kind: "postgres" } }),
  });
  expect((await run(["snapshot", "list"], { env: { DATA_DIR: dataDir } })).err).toBe(`${told}\n`);
  await server.stop(true);
  rmSync(dataDir, { recursive: true });
});

test("a plan with PostgreSQL ends as the command would", async () => {
  const answer = () => refusal(409, "CONFLICT", snapshotTexts.onlyEmbedded);
  const { code, out, err, calls } = await run(["snapshot", "create", "--plan"], { answer });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toStartWith(`error: ${snapshotTexts.onlyEmbedded}\n`);
  expect(calls.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    "POST /api/plan/snapshots.create",
  ]);
});

test("makes one through the API and names it", async () => {
  const made = { name: "2026-11-21T14-15-00Z", madeAt: "2026-11-21T14:15:00.000Z", sizeBytes: 1_200_000 };
  const { code, out, calls } = await run(["snapshot", "create"], { answer: () => success(made) });
  expect({ code, out }).toEqual({ code: 0, out: "Created snapshot 2026-11-21T14-15-00Z (1.2 MB)\n" });
  expect(calls.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
    "POST /api/system/snapshots",
  ]);
  const asJson = await run(["snapshot", "create", "--json"], { answer: () => success(made) });
  expect(await fitsSchema("snapshot create", asJson.out)).toEqual(made);
  const refused = await run(["snapshot", "create"], {
    answer: () => refusal(409, "CONFLICT", "Only the embedded database has snapshots"),
  });
  expect(refused).toMatchObject({ code: 1, out: "" });
  expect(refused.err).toContain("Only the embedded database has snapshots");
});

test("restores only when told so, and says where the former database is", async () => {
  const asked: string[] = [];
  const world = {
    composition: {
      restoreSnapshot: async (name: string) => {
        asked.push(name);
        return { restored: name, replaced: "/data/database.replaced-2026" };
      },
    },
  };
  const words = ["snapshot", "restore", "2026-11-21T14-15-00Z"];
  expect((await run(words, world)).code).toBe(2);
  expect((await run(words, { ...world, typed: ["n"] })).code).toBe(1);
  expect(asked).toEqual([]);
  const { code, out } = await run([...words, "--yes"], world);
  expect(code).toBe(0);
  expect(asked).toEqual(["2026-11-21T14-15-00Z"]);
  expect(out).toContain("Restored snapshot 2026-11-21T14-15-00Z");
  expect(out).toContain("The previous database is kept in /data/database.replaced-2026");
  const told = await run([...words, "--yes", "--json"], world);
  expect(await fitsSchema("snapshot restore", told.out)).toMatchObject({ restored: "2026-11-21T14-15-00Z" });
});

test("ends with 75 while a server has the folder, and with 1 for a snapshot that cannot be used", async () => {
  const failing = (name: string) => ({
    composition: { restoreSnapshot: () => Promise.reject(Object.assign(new Error("no"), { name })) },
  });
  const words = ["snapshot", "restore", "x", "--yes"];
  expect((await run(words, failing("DataFolderInUseError"))).code).toBe(75);
  expect((await run(words, failing("UnfitSnapshotError"))).code).toBe(1);
});

test("works on this machine alone", async () => {
  for (const words of [["list"], ["create"], ["restore", "x", "--yes"]])
    expect((await run(["snapshot", ...words, "--url", "https://atrium.example"])).code).toBe(2);
});

test("Ctrl-C ends the making with 130", async () => {
  const interrupt = AbortSignal.abort(new CliFailure("CANCELLED", "canceled", { exitCode: 130 }));
  const { code, out, err, isClosed } = await run(["snapshot", "create"], {
    answer: () => new Promise(() => {}),
    interrupt,
  });
  expect([code, out, err, isClosed]).toEqual([130, "", "error: canceled\n", true]);
});

import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDataFolder } from "#api/testing/data-folder.ts";
import { CliFailure } from "#cli/failure.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { refusal, run, success } from "#cli/testing/run.ts";

const folder = makeDataFolder();
afterAll(folder.remove);

const name = "atrium-20261121T030000Z-0a1b2c.tar.zst";
const content = new TextEncoder().encode("the bytes of a backup");
const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
const going = {
  id: "run-1",
  state: "running",
  place: "handover",
  isScheduled: false,
  startedAt: "2026-11-21T03:00:00.000Z",
  beatAt: "2026-11-21T03:00:00.000Z",
  stage: "writing",
  table: "users",
  rows: 7,
  readBytes: 700,
  name: null,
  sizeBytes: null,
  sha256: null,
  error: null,
};
const done = { ...going, state: "done", name, sizeBytes: content.byteLength, sha256 };
const kept = {
  name,
  place: "storage",
  sizeBytes: 1_250_000,
  createdAt: "2026-11-21T03:00:00.000Z",
  isEncrypted: false,
};
const state = {
  backups: [kept],
  storageFault: null,
  hasStorage: true,
  run: null,
  last: null,
  proof: null,
  schedule: {
    isEnabled: true,
    every: { dailyAt: "03:00" },
    place: "storage",
    keepLast: 14,
    keepDays: null,
    recipients: [],
  },
  nextAt: "2026-11-22T03:00:00.000Z",
};

/** A server that makes a backup, and hands it over as `bytes`. */
const server =
  ({ end = done, bytes = content }: { end?: object; bytes?: Uint8Array<ArrayBuffer> } = {}) =>
  (request: Request): Response => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith("/download"))
      return new Response(bytes, { headers: { "content-disposition": `attachment; filename="${name}"` } });
    if (request.method === "POST") return success(going);
    if (pathname.endsWith("/run")) return success(end);
    return success(request.method === "GET" ? state : {});
  };

const called = (calls: Request[]) =>
  calls.map(({ method, url }) => `${method} ${new URL(url).pathname.replace("/api/admin/backups", "")}`);

test("writes a backup to a file for its owner alone, and takes it from the server", async () => {
  const file = join(folder.path, "made.tar.zst");
  const { code, out, calls } = await run(["backup", "--out", file, "--json"], { answer: server() });
  expect([code, await fitsSchema("backup", out)]).toEqual([
    0,
    { file, place: "file", rows: 7, sizeBytes: 21 },
  ]);
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["the bytes of a backup", 0o600]);
  const [begun] = calls;
  expect(await begun?.json()).toEqual({ place: "handover", recipients: [] });
  expect(called(calls).slice(-2)).toEqual([`GET /handover/${name}/download`, `DELETE /handover/${name}`]);
});

test("a file that is there is not written over, and no server is asked for a backup", async () => {
  const file = join(folder.path, "kept.tar.zst");
  writeFileSync(file, "the only backup");
  const { code, out, err, calls } = await run(["backup", "--out", file], { answer: server() });
  expect([code, out, calls]).toEqual([2, "", []]);
  expect(err).toContain("kept.tar.zst already exists and is not overwritten");
  expect(readFileSync(file, "utf8")).toBe("the only backup");
});

test("writes to standard output what is asked for and nothing else", async () => {
  const { code, out, err } = await run(["backup", "--out", "-"], { answer: server() });
  expect([code, out]).toEqual([0, "the bytes of a backup"]);
  expect(err).toContain("Backed up 7 rows");
});

test("one that does not arrive whole becomes no file, and what waits on the server is removed", async () => {
  const file = join(folder.path, "cut.tar.zst");
  const answer = server({ bytes: content.slice(0, 10) });
  const { code, err, calls } = await run(["backup", "--out", file], { answer });
  expect([code, existsSync(file)]).toEqual([3, false]);
  expect(err).toContain("was not received completely");
  expect(called(calls).at(-1)).toBe(`DELETE /handover/${name}`);
});

test("one that fails says why, with exit code 1", async () => {
  const end = { ...going, state: "failed", error: "The object storage can't be used: no response in time" };
  const { code, out, err } = await run(["backup", "--to-storage"], { answer: server({ end }) });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain("The object storage can't be used: no response in time");
  const busy = refusal(409, "CONFLICT", "A backup is already running; wait until it is done");
  expect(await run(["backup", "--keep"], { answer: () => busy })).toMatchObject({ code: 1, out: "" });
});

test("wrong usage ends with 2 before anything is called", async () => {
  const wrong: [words: string, says: string][] = [
    ["", "choose where the backup goes"],
    ["--keep --to-storage", "choose where the backup goes"],
    ["--keep --encrypt", "add --recipient"],
    ["--to-storage --include-key", "add --recipient"],
    ["--out f --recipient age1x --encrypt", "not both"],
    ["--out f --include-key --url https://a.example", "remove --url"],
    ["--out f --encrypt", "ATRIUM_BACKUP_PASSPHRASE"],
    ["--out f --include-key", "ATRIUM_BACKUP_PASSPHRASE"],
    ["schedule --daily 03:00 --every-hours 6", "not both"],
    ["schedule --recipient age1x --unencrypted", "not both"],
    ["schedule --off --daily 03:00", "--daily has no effect"],
    ["schedule --off --every-hours 6", "--every-hours has no effect"],
    ["schedule --off --to folder", "--to has no effect"],
    ["schedule --off --keep-last 5", "--keep-last has no effect"],
    ["schedule --off --keep-days all", "--keep-days has no effect"],
    ["schedule --off --recipient age1x", "--recipient has no effect"],
    ["schedule --off --unencrypted", "--unencrypted has no effect"],
    ["schedule --to nowhere", "folder, storage"],
    ["schedule --every-hours soon", "whole number"],
    ["schedule --every-hours 0", "whole number from 1"],
    ["schedule --keep-last 0", "whole number from 1"],
    ["schedule --daily 25:00", "HH:MM"],
    ["schedule --daily 3:00", "HH:MM"],
    ["remove", "name"],
  ];
  for (const [words, says] of wrong) {
    const { code, err, calls } = await run(["backup", ...words.split(" ").filter((word) => word !== "")]);
    expect([words, code, calls.length]).toEqual([words, 2, 0]);
    expect(err).toContain(says);
  }
  const terminal = await run(["backup", "--out", "-"], { isTerminal: true });
  expect([terminal.code, terminal.err]).toEqual([2, expect.stringContaining("be shown on a terminal")]);
});

test("a passphrase of the environment is for files alone, and changes nothing about what stays with the server", async () => {
  const env = { ATRIUM_BACKUP_PASSPHRASE: "a long passphrase" };
  for (const [option, place] of [
    ["--keep", "folder"],
    ["--to-storage", "storage"],
  ] as const) {
    const { code, calls } = await run(["backup", option], { answer: server(), env });
    expect([code, await calls[0]?.json()]).toEqual([0, { place }]);
  }
});

test("a passphrase is asked for twice, and neither a short one nor two different ones count", async () => {
  const words = ["backup", "--out", join(folder.path, "no.age"), "--encrypt"];
  const short = await run(words, { typed: ["short", "short"] });
  expect([short.code, short.err]).toEqual([2, expect.stringContaining("at least 12 characters")]);
  const differing = await run(words, { typed: ["a long passphrase", "another passphrase"] });
  expect([differing.code, differing.err]).toEqual([2, expect.stringContaining("don't match")]);
  expect([short.calls, differing.calls]).toEqual([[], []]);
});

test("lists what is kept, and says what is missing when the object storage is unavailable", async () => {
  const listed = await run(["backup", "list"], { answer: server() });
  expect(listed).toMatchObject({ code: 0, out: `${name}\tstorage\t2026-11-21 03:00:00Z\t1.3 MB\tno\n` });
  const answer = () => success({ ...state, backups: [], storageFault: "the keys do not allow this" });
  const away = await run(["backup", "list"], { answer, isTerminal: true });
  expect(away.out).toStartWith("There are no backups. Create one: atrium backup --keep\n");
  const piped = await run(["backup", "list"], { answer });
  expect([piped.code, piped.out]).toEqual([0, ""]);
  expect(piped.err).toContain("atrium backup schedule --daily 03:00");
  const asJson = await run(["backup", "list", "--json"], { answer });
  expect(await fitsSchema("backup list", asJson.out)).toMatchObject({ backups: [] });
  expect(asJson.err).not.toContain("There are no backups");
  expect(away.err).toContain("backups in object storage are not shown: the keys do not allow this");
  const all = await run(["backup", "list", "--json"], { answer: server() });
  expect(await fitsSchema("backup list", all.out)).toEqual(state);
});

test("a narrow terminal leaves the time out, which the name tells too, and cuts neither", async () => {
  const shown = async (columns: number) =>
    Bun.stripANSI((await run(["backup", "list"], { answer: server(), isTerminal: true, columns })).out);
  expect(await shown(80)).toMatch(
    new RegExp(`${name} +storage +1.3 MB +no\nColumns that don't fit: CREATED AT\n$`),
  );
  expect(await shown(100)).toContain("2026-11-21 03:00:00Z");
});

test("removes one where it lies, only when told so", async () => {
  const words = ["backup", "remove", name];
  expect((await run(words, { answer: server() })).code).toBe(2);
  const declined = await run(words, { answer: server(), typed: ["n"] });
  expect([declined.code, called(declined.calls)]).toEqual([1, ["GET "]]);
  const removed = await run([...words, "--yes"], { answer: server() });
  expect(removed).toMatchObject({ code: 0, out: `Removed ${name}\n` });
  expect(called(removed.calls)).toEqual(["GET ", `DELETE /storage/${name}`]);
  const none = await run(["backup", "remove", "other", "--yes"], { answer: server() });
  expect([none.code, none.err]).toEqual([1, expect.stringContaining("backup not found: other")]);
});

test("shows the schedule, and changes of it what is named", async () => {
  const shown = await run(["backup", "schedule"], { answer: server() });
  expect(shown.out).toBe(
    "A backup daily at 03:00 UTC, to storage, not encrypted\nKept: the newest 14\nNext: 2026-11-22 03:00:00Z\n",
  );
  expect(called(shown.calls)).toEqual(["GET "]);
  const hourly = { ...state, schedule: { ...state.schedule, every: { hours: 1 }, keepDays: 1 } };
  expect((await run(["backup", "schedule"], { answer: () => success(hourly) })).out).toStartWith(
    "A backup every hour, to storage, not encrypted\nKept: the newest 14, of them those from the last day\n",
  );
  const changed = await run(["backup", "schedule", "--every-hours", "6", "--keep-days", "all"], {
    answer: server(),
  });
  expect(changed.code).toBe(0);
  expect(await changed.calls[0]?.json()).toEqual({ isEnabled: true, every: { hours: 6 }, keepDays: null });
});

test("a change of a schedule that stays off says that it is off; switching it off does not", async () => {
  const off = { ...state, schedule: { ...state.schedule, isEnabled: false }, nextAt: null };
  const answer = () => success(off);
  const kept = await run(["backup", "schedule", "--keep-last", "5"], { answer });
  expect([kept.code, kept.out]).toEqual([0, "Automatic backups are off.\n"]);
  expect(kept.err).toContain("the schedule is off: turn it on with --daily");
  expect(await kept.calls[0]?.json()).toEqual({ keepLast: 5 });
  const asJson = await run(["backup", "schedule", "--unencrypted", "--json"], { answer });
  expect(await fitsSchema("backup schedule", asJson.out)).toMatchObject({ isEnabled: false });
  expect(asJson.err).toContain("the schedule is off");
  expect((await run(["backup", "schedule", "--off"], { answer })).err).toBe("");
  expect((await run(["backup", "schedule"], { answer })).err).toBe("");
  const on = await run(["backup", "schedule", "--keep-last", "5"], { answer: server() });
  expect([on.code, on.err]).toEqual([0, ""]);
});

test("the list tells which backup was verified last, and how that ended", async () => {
  const proof = { at: "2026-11-21T04:00:00.000Z", name, madeAt: kept.createdAt, isSound: true };
  const sound = await run(["backup", "list"], { answer: () => success({ ...state, proof }) });
  expect(sound.err).toBe(`last verified 2026-11-21 04:00Z: ${name}, restorable\n`);
  const answer = () => success({ ...state, proof: { ...proof, isSound: false } });
  expect((await run(["backup", "list"], { answer })).err).toContain(`${name}, not restorable`);
  expect((await run(["backup", "list", "--json"], { answer })).err).toBe("");
});

/** A server on which a backup goes on until it is canceled. */
const cancellable = () => {
  let isCancelled = false;
  const answer = (request: Request): Response => {
    if (request.method === "DELETE") isCancelled = true;
    return server({
      end: isCancelled ? { ...going, state: "failed", error: "The backup was canceled" } : going,
    })(request);
  };
  return answer;
};
const ctrlC = () => new CliFailure("CANCELLED", "canceled; no backup was created", { exitCode: 130 });

test("Ctrl-C has the server cancel its making, and ends with 130", async () => {
  const file = join(folder.path, "cancelled.tar.zst");
  for (const words of [["--out", file], ["--keep"], ["--to-storage"]]) {
    const { code, out, err, calls } = await run(["backup", ...words], {
      answer: cancellable(),
      interrupt: AbortSignal.abort(ctrlC()),
    });
    expect([code, out, err]).toEqual([130, "", "error: canceled; no backup was created\n"]);
    expect(called(calls)).toEqual(["POST ", "GET /run", "DELETE /run"]);
  }
  expect(existsSync(file)).toBeFalse();
});

test("Ctrl-C after the backup is complete cancels no other backup, and says that it is kept", async () => {
  const over = await run(["backup", "--keep"], { answer: server(), interrupt: AbortSignal.abort(ctrlC()) });
  expect([over.code, called(over.calls)]).toEqual([0, ["POST ", "GET /run"]]);
  expect(over.out).toContain(`Backed up 7 rows`);
  let asked = 0;
  const answer = (request: Request): Response => {
    if (request.method === "DELETE") return refusal(409, "CONFLICT", "No backup is running");
    if (request.url.endsWith("/run")) asked += 1;
    return server({ end: asked === 1 ? going : done })(request);
  };
  const meanwhile = await run(["backup", "--keep"], { answer, interrupt: AbortSignal.abort(ctrlC()) });
  expect([meanwhile.code, called(meanwhile.calls)]).toEqual([
    0,
    ["POST ", "GET /run", "DELETE /run", "GET /run"],
  ]);
});

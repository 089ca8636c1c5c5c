import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CliFailure } from "#cli/failure.ts";
import { activityPage } from "#cli/testing/activity.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { callsOf, run, success, type World } from "#cli/testing/run.ts";
import { limits } from "#contract/limits.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "atrium-test-"));
  file = join(folder, "activity.csv");
});
afterEach(() => rm(folder, { recursive: true }));

const fileOf = (body: string | ReadableStream<Uint8Array>): Response =>
  new Response(body, {
    headers: { "content-disposition": 'attachment; filename="plugin-activity-2026-11-20.csv"' },
  });
const head = "id,timestamp,action\r\n";
const lines = (newest: number, oldest: number): string =>
  Array.from({ length: newest - oldest + 1 }, (_, at) => `${newest - at},2026-11-20,x\r\n`).join("");
const total = limits.exportRows + 2;
/** An API with more activities than one export holds. */
const answer = (request: Request): Response => {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname.endsWith("/activity")) return success(activityPage([], { total }));
  const newest = Number(searchParams.get("before") ?? total + 1) - 1;
  return fileOf(head + lines(newest, Math.max(1, newest - limits.exportRows + 1)));
};
const exported = (argv: string[] = [], world: World = {}) =>
  run(["activity", "export", ...argv], { answer, ...world });

describe("activity export", () => {
  test("writes the newest as CSV to standard output, as the filters say", async () => {
    const outcome = await exported(["--severity", "high"]);
    expect([outcome.code, outcome.out, outcome.err]).toEqual([0, head + lines(total, 3), ""]);
    expect(await callsOf(outcome)).toEqual([
      "GET /api/admin/activity/export?severity=high&format=csv&limit=10000",
    ]);
    expect(await callsOf(await exported(["--format", "ndjson"]))).toEqual([
      "GET /api/admin/activity/export?format=ndjson&limit=10000",
    ]);
  });

  test("with --all continues page by page, with the headings once", async () => {
    const outcome = await exported(["--all", "--since", "2026-01-01"]);
    expect(outcome.out).toBe(head + lines(total, 1));
    expect((await callsOf(outcome)).map((call) => call.split("limit=10000")[1])).toEqual(["", "&before=3"]);
  });

  test("with --out goes to a file of the owner's alone, and says how much it is", async () => {
    const outcome = await exported(["--all", "--out", file]);
    expect([outcome.code, outcome.out]).toEqual([0, `Wrote 10,002 activities, 189 kB, to ${file}\n`]);
    expect(await Bun.file(file).text()).toBe(head + lines(total, 1));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const told = await exported(["--out", file, "--json"]);
    expect(await fitsSchema("activity export", told.out)).toEqual({
      file,
      sizeBytes: Bun.file(file).size,
      rows: 10_000,
    });
  });

  test("on a terminal shows how far it has come, and says what a cut export leaves out", async () => {
    const all = await exported(["--all", "--out", file], { isTerminal: true });
    expect(all.err).toContain("of 10,002 exported");
    expect(all.err).toEndWith("\r\u001b[K");
    const cut = await exported(["--out", file], { isTerminal: true });
    expect(cut.err).toEndWith("only the newest 10,000 were exported; use --all for all of them\n");
    expect((await exported(["--all"], { isTerminal: true })).err).toBe("");
  });

  test.each(["zq", "%_-", " a.b "])(
    "says that a search for %p looked at the newest alone",
    async (search) => {
      for (const isTerminal of [false, true]) {
        const outcome = await exported(["--search", search, "--out", file], { isTerminal });
        expect(outcome.code).toBe(0);
        expect(outcome.err).toEndWith(
          "only the newest 10,000 activities were searched; use at least 3 letters or digits to search all of them\n",
        );
        expect(outcome.err).not.toContain("--all");
      }
    },
  );

  test.each(["zq", "%_-", " a.b "])(
    "with --all refuses a search for %p, which cannot find all",
    async (search) => {
      await Bun.write(file, "before");
      const outcome = await exported(["--all", "--search", search, "--out", file]);
      expect([outcome.code, outcome.out, outcome.calls, await Bun.file(file).text()]).toEqual([
        2,
        "",
        [],
        "before",
      ]);
      expect(outcome.err).toContain("at least 3 letters or digits");
    },
  );

  test.each(["zqx", "10.0", "", "  "])("with --all takes a search for %p", async (search) => {
    const outcome = await exported(["--all", "--search", search]);
    expect([outcome.code, outcome.out, outcome.err]).toEqual([0, head + lines(total, 1), ""]);
  });

  const halfway = (end: (controller: ReadableStreamDefaultController) => void) => (request: Request) => {
    if (!request.url.includes("before=")) return answer(request);
    let isFirst = true;
    return fileOf(
      new ReadableStream({
        pull: (controller) => {
          if (isFirst) controller.enqueue(new TextEncoder().encode(head + lines(2, 2)));
          else end(controller);
          isFirst = false;
        },
      }),
    );
  };

  test("that breaks off in a later page ends with 3 and leaves what stood there before", async () => {
    await Bun.write(file, "before");
    const broken = halfway((controller) => controller.error(new Error("reset")));
    const outcome = await exported(["--all", "--out", file], { answer: broken });
    expect(outcome.code).toBe(3);
    expect(outcome.err).toContain("was interrupted");
    expect([await readdir(folder), await Bun.file(file).text()]).toEqual([["activity.csv"], "before"]);
  });

  test("that is interrupted leaves nothing behind", async () => {
    const interrupt = new AbortController();
    const hanging = halfway(() => interrupt.abort(new CliFailure("CANCELLED", "canceled")));
    const outcome = await exported(["--all", "--out", file], {
      answer: hanging,
      interrupt: interrupt.signal,
    });
    expect([outcome.code, outcome.err, await readdir(folder)]).toEqual([1, "error: canceled\n", []]);
  });

  test("stops when its reader has gone", async () => {
    const outcome = await exported(["--all"], { reads: 0 });
    expect([outcome.code, outcome.out, outcome.calls.length]).toEqual([0, "", 1]);
  });

  test("shows no text on a terminal that steers it", async () => {
    const odd = () => fileOf(`${head}1,2026-11-20,a\u001b[31mb\r\n`);
    expect((await exported([], { answer: odd, isTerminal: true })).out).toContain("a\ufffd[31mb\r\n");
  });
});

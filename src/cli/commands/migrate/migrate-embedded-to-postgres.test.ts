import { describe, expect, test } from "bun:test";
import type { MoveReport, MoveWatch } from "#api/backups/move-to-postgres.ts";
import type { MovePlan } from "#api/backups/plan-move.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { run } from "#cli/testing/run.ts";

const command = ["migrate", "embedded-to-postgres"];
const plan: MovePlan = {
  from: { dataDir: "/srv/atrium", version: "18.6", sizeBytes: 9_000_000 },
  to: { address: "postgres://db.example/atrium", database: "atrium", version: "15.4" },
  tables: [{ table: "users", rows: 1_200, bytes: 50_000 }],
  rows: 1_200,
  bytes: 50_000,
  obstacle: null,
  brokenOffAt: null,
};
const report: MoveReport = {
  to: plan.to.address,
  version: "15.4",
  tables: [{ table: "users", rows: 1_200 }],
  rows: 1_200,
  checked: 7,
  durationMs: 61_000,
  rowsPerSecond: 40_000,
  keep: ["app.key"],
};

/** A composition that notes the address and does nothing. */
const noting = (work: (watch: MoveWatch) => Promise<MoveReport> = async () => report) => {
  const urls: string[] = [];
  const composition = {
    planMove: async (url: string) => {
      urls.push(url);
      return plan;
    },
    moveToPostgres: async (url: string, watch: MoveWatch) => {
      urls.push(url);
      return work(watch);
    },
  };
  return { urls, composition };
};

describe("the address of the target", () => {
  test("comes from DATABASE_URL, from standard input, or from an argument without a password", async () => {
    const { urls, composition } = noting();
    const DATABASE_URL = "postgres://a:s3cret@one/x";
    await run(command, { composition, env: { DATABASE_URL } });
    await run([...command, "--to-stdin"], { composition, input: "postgres://a:s3cret@two/x\n" });
    await run([...command, "--to", "postgres://a@three/x"], { composition, env: { DATABASE_URL } });
    await run([...command, "--to", "postgres://a@four/x"], { composition, typed: ["p@ss/w"] });
    expect(urls).toEqual([
      DATABASE_URL,
      "postgres://a:s3cret@two/x",
      "postgres://a@three/x",
      "postgres://a:p%40ss%2Fw@four/x",
    ]);
  });

  test.each([
    [["--to", "postgres://a:s3cret@db/x"]],
    [["--to", "postgres://a@db/x?password=s3cret"]],
    [["--to", "postgres://a@db/x?pass%77ord=s3cret"]],
    [["--to", "postgres://a@db/x?sslmode=require&%50assWord=s3cret"]],
    [["--to", "s3cret"]],
    [["--to", "mysql://a@db/x"]],
    [["--to", "postgres://a@db/x", "--to-stdin"]],
    [[]],
  ])("M1: given as %o it is wrong usage, and no password is repeated", async (words) => {
    const { urls, composition } = noting();
    const { code, out, err } = await run([...command, ...words], { composition });
    expect({ code, out, urls }).toEqual({ code: 2, out: "", urls: [] });
    expect(err).not.toContain("s3cret");
  });
});

describe("a move", () => {
  test("tells each table once, and at the end what was counted and what to keep", async () => {
    const { composition } = noting(async ({ onPlan, onProgress }) => {
      onPlan(plan);
      for (const tableRows of [600, 1_200])
        onProgress({ step: "copying", table: "users", tableRows, rows: tableRows, totalRows: 1_200 });
      onProgress({ step: "counting rows", table: null, tableRows: 0, rows: 1_200, totalRows: 1_200 });
      return report;
    });
    const { code, out, err } = await run([...command, "--to", "postgres://db.example/atrium"], {
      composition,
    });
    expect(code).toBe(0);
    expect(err).toBe(
      "Moving 1,200 rows (50.0 kB) from /srv/atrium to postgres://db.example/atrium, PostgreSQL 15.4\nusers: 1,200 rows\ncounting rows\n",
    );
    expect(out).toContain("7 activities verified");
    expect(out).toContain("Keep app.key in the data folder");
    const told = await run([...command, "--to", "postgres://db.example/atrium", "--json"], { composition });
    expect(await fitsSchema("migrate embedded-to-postgres", told.out)).toEqual(report);
  });

  test("shows on a terminal each step that directly follows another one", async () => {
    const at = { tableRows: 1_200, rows: 1_200, totalRows: 1_200 };
    const { composition } = noting(async ({ onProgress }) => {
      onProgress({ step: "copying", table: "users", ...at });
      for (const step of ["counting rows", "verifying the activity log (1 activities)", "done with it"])
        onProgress({ step, table: null, ...at });
      return report;
    });
    const words = [...command, "--to", "postgres://db.example/atrium"];
    const { err } = await run(words, { composition, isTerminal: true, typed: [""] });
    for (const step of ["counting rows", "verifying the activity log", "done with it"])
      expect(err).toContain(step);
  });

  test("that was interrupted says in what state the target is", async () => {
    for (const [isEmptied, words] of [
      [true, "The target is empty again"],
      [false, "no server can start on it until you run this command again"],
    ] as const) {
      const { composition } = noting(async ({ onBroken }) => {
        onBroken(isEmptied);
        throw Object.assign(new Error("The move was interrupted"), { name: "TransferError" });
      });
      const { code, out, err } = await run([...command, "--to", "postgres://db/x"], { composition });
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toContain(words);
      expect(err).toContain("The move was interrupted");
    }
  });

  test("to what is no address of a server is wrong usage", async () => {
    const unreadable = Object.assign(new Error("must be postgres://"), { name: "TargetAddressError" });
    const { composition } = noting(() => Promise.reject(unreadable));
    const { code } = await run([...command, "--to-stdin"], { composition, input: "mysql://a@db/x" });
    expect(code).toBe(2);
  });

  test("of a folder in use ends with 75 and says what to do", async () => {
    const inUse = Object.assign(new Error("in use"), { name: "DataFolderInUseError", pid: 7 });
    const { composition } = noting(() => Promise.reject(inUse));
    const { code, err } = await run([...command, "--to", "postgres://db/x"], { composition });
    expect(code).toBe(75);
    expect(err).toMatch(/pid 7\n.*systemctl stop atrium/);
  });
});

test("a plan with an obstacle is shown and ends with 1", async () => {
  const obstacle = "The server is PostgreSQL 14; version 15 or newer is needed";
  const composition = { planMove: async () => ({ ...plan, obstacle }) };
  const { code, out, err } = await run([...command, "--plan", "--to", "postgres://db/x"], { composition });
  expect(code).toBe(1);
  expect(out).toContain("not possible");
  expect(err).toContain(obstacle);
  const told = await run([...command, "--plan", "--to", "postgres://db/x", "--json"], { composition });
  expect(await fitsSchema("migrate embedded-to-postgres", told.out)).toEqual({ ...plan, obstacle });
});

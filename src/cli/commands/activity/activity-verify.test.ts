import { describe, expect, test } from "bun:test";

import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { callsOf, run, success, type World } from "#cli/testing/run.ts";
import { limits } from "#contract/limits.ts";

const slice = limits.verifiedRows;
const end = 3 * slice - 7;
const count = new Intl.NumberFormat("en").format(end);

const hash = (id: number): string => id.toString(16).padStart(64, "0");
const mark = (id: number) => ({ id, hash: hash(id) });
const text = (id: number): string => `${id}:${hash(id)}`;

type Log = { anchor?: number; head?: number; faultAt?: number };

/** An API whose log has the activities behind `anchor` up to `head`. */
const logOf =
  ({ anchor = 0, head = end, faultAt }: Log) =>
  (request: Request): Response => {
    const { searchParams } = new URL(request.url);
    const from = Math.max(anchor, Number(searchParams.get("after")));
    const end = Math.min(head, from + Number(searchParams.get("limit")));
    const isAtFault = faultAt !== undefined && faultAt > from && faultAt <= end;
    const through = isAtFault ? faultAt - 1 : end;
    return success({
      checked: through - from,
      through,
      throughHash: hash(through),
      isComplete: through === head,
      head: mark(head),
      anchor: mark(anchor),
      fault: isAtFault ? { id: faultAt, problem: `Activity ${faultAt} is missing` } : null,
    });
  };
const verify = (argv: string[] = [], log: Log = {}, world: World = {}) =>
  run(["activity", "verify", ...argv], { answer: logOf(log), ...world });

describe("activity verify", () => {
  test("walks to the end, and prints the head to note down", async () => {
    const outcome = await verify();
    expect(outcome).toMatchObject({ code: 0, err: "" });
    expect(outcome.out).toBe(`Proven\t${count} activities\nHead\t${text(end)}\n`);
    expect((await callsOf(outcome)).map((call) => call.split("?")[1])).toEqual([
      "after=0&limit=1",
      `after=1&limit=${slice}`,
      `after=${slice + 1}&limit=${slice}`,
      `after=${2 * slice + 1}&limit=${slice}`,
    ]);
    expect(await fitsSchema("activity verify", (await verify(["--json"])).out)).toEqual({
      checked: end,
      head: mark(end),
      anchor: mark(0),
      fault: null,
      expected: null,
    });
  });

  test("begins behind what was cleaned up, and proves an empty log too", async () => {
    expect((await verify([], { anchor: end - 5_000 })).out).toBe(
      `Proven\t5,000 activities\nCleaned up\tup to ${text(end - 5_000)}\nHead\t${text(end)}\n`,
    );
    expect(await verify([], { head: 0 })).toMatchObject({
      code: 0,
      out: `Proven\t0 activities\nHead\t${text(0)}\n`,
    });
  });

  test("ends with 1 at the first fault, in plain words", async () => {
    const outcome = await verify([], { faultAt: slice + 9 });
    expect(outcome.code).toBe(1);
    expect(outcome.err).toBe(`error: the activity log was altered: Activity ${slice + 9} is missing\n`);
    expect(outcome.calls).toHaveLength(3);
    const told = await verify(["--json"], { faultAt: slice + 9 });
    expect(await fitsSchema("activity verify", told.out)).toMatchObject({
      checked: slice + 8,
      fault: { id: slice + 9 },
    });
    expect(JSON.parse(told.err)).toMatchObject({ success: false, code: "CHECKS_FAILED" });
  });

  test("shows how far it has come on a terminal", async () => {
    const { err } = await verify([], {}, { isTerminal: true });
    expect(err).toContain(`of ${count} verified`);
    expect(err).toEndWith("\r\u001b[K");
  });

  test("does not go round when the proof stands still", async () => {
    const still = () =>
      success({
        checked: 0,
        through: 0,
        throughHash: hash(0),
        isComplete: false,
        head: mark(9),
        anchor: mark(0),
        fault: null,
      });
    const outcome = await verify([], {}, { answer: still });
    expect([outcome.code, outcome.calls.length]).toEqual([1, 1]);
  });
});

describe("activity verify --expect", () => {
  test.each([1, 2, slice - 1, slice, slice + 1, slice + 2, end - 1, end])(
    "verifies that the saved activity %d is unchanged",
    async (id) => {
      const outcome = await verify(["--expect", text(id)]);
      expect([outcome.code, outcome.err]).toEqual([0, ""]);
      expect(outcome.out).toContain(`Expected\tunchanged: ${text(id)}\n`);
      const other = await verify(["--expect", `${id}:${hash(id + 1)}`]);
      expect(other.code).toBe(1);
      expect(other.err).toContain("was rewritten");
    },
  );

  test("knows the newest that was cleaned up, and finds rows right behind it", async () => {
    const log = { anchor: 7_000 };
    for (const id of [7_000, 7_001, 7_002, 11_000])
      expect((await verify(["--expect", text(id)], log)).code).toBe(0);
    const other = await verify(["--expect", `7000:${hash(1)}`], log);
    expect([other.code, other.err]).toEqual([1, expect.stringContaining("was rewritten")]);
  });

  test.each([
    [{ anchor: 7_000 }, 6_999, "was cleaned up"],
    [{ head: 100 }, 101, "newer activities were removed"],
    [{ faultAt: slice + 9 }, slice + 10, "was not reached"],
  ] as [Log, number, string][])("in a log %j ends with 1 for the activity %d", async (log, id, words) => {
    const outcome = await verify(["--expect", text(id)], log);
    expect(outcome.code).toBe(1);
    expect(outcome.err).toContain(words);
  });

  test.each(["12", "12:abc", `x:${hash(1)}`, `${text(1)}0`])("takes no %s", async (typed) => {
    const outcome = await verify(["--expect", typed]);
    expect([outcome.code, outcome.calls]).toEqual([2, []]);
  });
});

import { describe, expect, test } from "bun:test";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { type Outcome, refusal, run, success, type World } from "#cli/testing/run.ts";

const status = {
  fingerprint: "0123456789abcdef",
  previousFingerprint: "fedcba9876543210",
  places: [
    { table: "mails", column: "content", current: 1, previous: 3, unknown: 0 },
    { table: "installation", column: "value", current: 0, previous: 1, unknown: 0 },
  ],
};
const slice = { resealed: 0, remaining: 0, unreadable: [], isComplete: true, after: null };
const stray = { table: "mails", column: "content", id: "019a9f00-0000-7000-8000-000000000000" };

/** An API that answers with these slices, one after the other. */
const api = (slices: object[], state: object = status): NonNullable<World["answer"]> => {
  const waiting = [...slices];
  return (request) => (request.method === "GET" ? success(state) : success({ ...slice, ...waiting.shift() }));
};
const secrets = (argv: string[], world: World = {}) => run(["secrets", ...argv], world);
const bodiesOf = ({ calls }: Outcome) =>
  Promise.all(calls.filter(({ method }) => method === "POST").map((call) => call.json()));

describe("secrets rotate", () => {
  const slices = [
    { resealed: 2, remaining: 2, isComplete: false, after: "mails:2" },
    { resealed: 1, remaining: 1, isComplete: false, after: "activity_chain:3" },
    { resealed: 1 },
  ];

  test("continues slice by slice to the end, and says that the previous key can be removed", async () => {
    const outcome = await secrets(["rotate"], { answer: api(slices) });
    expect(await bodiesOf(outcome)).toEqual([{}, { after: "mails:2" }, { after: "activity_chain:3" }]);
    expect([outcome.code, outcome.err]).toEqual([0, ""]);
    expect(outcome.out).toBe(
      "Re-encrypted 4 values with key 0123456789abcdef. You can remove APP_SECRET_PREVIOUS now\n",
    );
  });

  test("on a terminal shows how far it has come", async () => {
    const { err } = await secrets(["rotate"], { answer: api(slices), isTerminal: true });
    expect(err).toContain("0 of 4 re-encrypted");
  });

  test("with --json prints what it came to", async () => {
    const { out } = await secrets(["rotate", "--json"], { answer: api(slices) });
    expect(await fitsSchema("secrets rotate", out)).toEqual({
      resealed: 4,
      remaining: 0,
      unreadable: [],
      isComplete: true,
      fingerprint: status.fingerprint,
      previousFingerprint: status.previousFingerprint,
    });
  });

  test("without a previous key and with nothing to do says so and ends as done", async () => {
    const idle = { ...status, previousFingerprint: null, places: [] };
    const outcome = await secrets(["rotate"], { answer: api([slice], idle) });
    expect([outcome.code, outcome.out]).toEqual([
      0,
      "Nothing to do: everything is encrypted with the current key, 0123456789abcdef, and no previous key is set\n",
    ]);
  });

  test("names what neither key opens and ends with 1", async () => {
    const first = { resealed: 1, isComplete: false, after: "mails:1", unreadable: [stray] };
    const outcome = await secrets(["rotate"], { answer: api([first, slice]) });
    expect(outcome.code).toBe(1);
    expect(outcome.out).toContain("Re-encrypted 1 value");
    expect(outcome.err).toContain("1 value can't be decrypted with either key");
    expect(outcome.err).toContain(`mails.content ${stray.id}`);
  });

  test("ends with 1 when another server still uses the previous key, which then has to stay", async () => {
    const outcome = await secrets(["rotate"], { answer: api([{ remaining: 2 }]) });
    expect(outcome.code).toBe(1);
    expect(outcome.out).not.toContain("remove it");
    expect(outcome.err).toContain("another server is running without key 0123456789abcdef");
  });

  test("does not call for ever when it is not led on", async () => {
    const stuck = { isComplete: false, after: "mails:1" };
    const outcome = await secrets(["rotate"], { answer: api([stuck, stuck, stuck]) });
    expect([outcome.code, (await bodiesOf(outcome)).length]).toEqual([1, 2]);
  });

  test("is for this machine: a server elsewhere is not asked", async () => {
    for (const words of [["rotate"], ["status"]]) {
      const outcome = await secrets([...words, "--url", "https://atrium.example"]);
      expect([outcome.code, outcome.calls.length]).toEqual([2, 0]);
    }
  });

  test("that the API refuses ends with its words", async () => {
    const answer = () => refusal(503, "BUSY", "The server is busy, please try again in a moment");
    const outcome = await secrets(["rotate"], { answer });
    expect([outcome.code, outcome.out]).toEqual([1, ""]);
    expect(outcome.err).toContain("busy");
  });
});

describe("secrets status", () => {
  test("tells the keys by their fingerprints and what lies under which", async () => {
    const { out } = await secrets(["status"], { answer: api([]) });
    expect(out).toBe(
      "Current key\t0123456789abcdef\nPrevious key\tfedcba9876543210\n" +
        "mails.content\t1\t3\t0\ninstallation.value\t0\t1\t0\n",
    );
    const shown = await secrets(["status"], {
      answer: api([], { ...status, previousFingerprint: null }),
      isTerminal: true,
    });
    expect(shown.out).toContain("UNKNOWN KEY");
    expect(shown.out).toContain("none");
  });

  test("with --json prints exactly the API's data", async () => {
    const { out } = await secrets(["status", "--json"], { answer: api([]) });
    expect(await fitsSchema("secrets status", out)).toEqual(status);
  });
});

describe("secrets new-key", () => {
  test("prints another key each time, without a question", async () => {
    const made = await Promise.all([secrets(["new-key"]), secrets(["new-key"])]);
    for (const { out, calls } of made) {
      expect(out).toMatch(/^[0-9a-f]{64}\n$/);
      expect(calls).toEqual([]);
    }
    expect(made[0].out).not.toBe(made[1].out);
  });
});

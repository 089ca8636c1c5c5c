import { describe, expect, test } from "bun:test";
import { activityPage } from "#cli/testing/activity.ts";
import { callsOf, run, success, type World } from "#cli/testing/run.ts";

const message = "Successfully cleaned up 42 old activity records.";
const answer = ({ method, url }: Request): Response => {
  if (method === "DELETE") return Response.json({ success: true, message, deletedCount: 42 });
  if (url.endsWith("/retention")) return success({ days: method === "PUT" ? 30 : null });
  return success(activityPage([], { total: 1_234 }));
};
const activity = (argv: string[], world: World = {}) => run(["activity", ...argv], { answer, ...world });

describe("activity cleanup", () => {
  const call = "DELETE /api/admin/activity/cleanup?days=90";

  test("removes what is older than 90 days unless told otherwise, and says how much it was", async () => {
    const outcome = await activity(["cleanup", "--yes"]);
    expect([outcome.code, outcome.out]).toEqual([0, `${message}\n`]);
    expect(await callsOf(outcome)).toEqual([call]);
    expect(await callsOf(await activity(["cleanup", "--days", "7", "--yes"]))).toEqual([
      "DELETE /api/admin/activity/cleanup?days=7",
    ]);
    expect(JSON.parse((await activity(["cleanup", "--yes", "--json"])).out)).toEqual({ deletedCount: 42 });
  });

  test("asks first, naming how many go", async () => {
    const before = Date.now();
    const yes = await activity(["cleanup"], { typed: ["y"] });
    expect(yes.err).toContain("Remove 1,234 activities that are older than 90 days permanently? [y/N]");
    expect((await callsOf(yes))[1]).toBe(call);
    const until = new URL(yes.calls[0]?.url ?? "").searchParams.get("endDate") ?? "";
    expect(Date.parse(until)).toBeWithin(before - 90 * 86_400_000, Date.now() - 90 * 86_400_000 + 1);
    const none = await activity(["cleanup", "--days", "1"], {
      typed: ["n"],
      answer: () => success(activityPage([])),
    });
    expect(none.err).toContain("No activity is older than a day.");
  });

  test("says that it is under way on a terminal, and takes that away in the end", async () => {
    const { err } = await activity(["cleanup", "--yes"], { isTerminal: true });
    expect(err).toContain("Cleaning up");
    expect(err).toEndWith("\r\u001b[K");
  });

  test.each(["0", "-1", "3651", "1e9", "90;x", "many"])("takes no --days %s", async (days) => {
    const outcome = await activity(["cleanup", "--days", days, "--yes"]);
    expect([outcome.code, outcome.calls]).toEqual([2, []]);
    expect(outcome.err).not.toBe("");
  });
});

describe("activity retention", () => {
  test("show says for how long activities are kept", async () => {
    expect((await activity(["retention", "show"])).out).toBe("Activities are kept until someone cleans up\n");
    expect(JSON.parse((await activity(["retention", "show", "--json"])).out)).toEqual({ days: null });
  });

  test("set asks first, naming how many are older already", async () => {
    const yes = await activity(["retention", "set", "30"], { typed: ["yes"] });
    expect(yes.err).toContain("once they are older than 30 days? 1,234 already are. [y/N]");
    expect((await callsOf(yes))[1]).toBe('PUT /api/admin/activity/retention {"days":30}');
    expect(yes.out).toBe("Activities are kept for 30 days\n");
    expect(await callsOf(await activity(["retention", "set", "30", "--yes"]))).toHaveLength(1);
  });

  test("set off keeps everything, without a question", async () => {
    const outcome = await activity(["retention", "set", "off"]);
    expect(await callsOf(outcome)).toEqual(['PUT /api/admin/activity/retention {"days":null}']);
    expect(outcome.code).toBe(0);
  });

  test.each(["0", "3651", "never", "1.5"])("set takes no %s", async (days) => {
    const outcome = await activity(["retention", "set", days, "--yes"]);
    expect([outcome.code, outcome.calls]).toEqual([2, []]);
    expect(outcome.err).toContain("or off");
  });
});

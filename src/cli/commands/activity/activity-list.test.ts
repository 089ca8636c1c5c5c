import { describe, expect, test } from "bun:test";
import { activity, activityPage } from "#cli/testing/activity.ts";
import { callsOf, run, success, type World } from "#cli/testing/run.ts";

const page = activityPage([activity(12), activity(11)], { total: 1_234, limit: 2 });
const answer = () => success(page);
const list = (argv: string[] = [], world: World = {}) =>
  run(["activity", "list", ...argv], { answer, ...world });

describe("activity list", () => {
  test("asks for what the options say, several values by comma or repetition", async () => {
    const words = [
      "--type",
      "api_call,admin_action",
      "--type",
      "file_read",
      "--plugin",
      "core",
      "--who",
      "operator",
    ];
    const more = [
      "--status",
      "failure",
      "--severity",
      "high, critical",
      "--severity",
      "high",
      "--search",
      "a & b",
    ];
    const bounds = ["--limit", "2", "--offset", "4", "--before", "99", "--until", "2026-01-31"];
    expect(await callsOf(await list([...words, ...more, ...bounds]))).toEqual([
      "GET /api/admin/activity?type=api_call%2Cadmin_action%2Cfile_read&pluginName=core&status=failure" +
        "&severity=high%2Ccritical&actorKind=operator&search=a+%26+b&endDate=2026-01-31&limit=2&offset=4&before=99",
    ]);
    expect(await callsOf(await list())).toEqual(["GET /api/admin/activity"]);
  });

  test("continues after any number that an activity can have", async () => {
    const [call] = await callsOf(await list(["--before", "999999999999999"]));
    expect(call).toEndWith("?before=999999999999999");
  });

  test("counts a span back from now", async () => {
    const before = Date.now();
    const [call] = (await list(["--since", "24h"])).calls;
    const since = Date.parse(new URL(call?.url ?? "").searchParams.get("startDate") ?? "");
    expect(since).toBeWithin(before - 86_400_000, Date.now() - 86_400_000 + 1);
  });

  test.each([
    ["--type", "api_calls", "plugin_installed"],
    ["--type", "api_call,", "missing"],
    ["--status", "failed", "success, failure, warning, info"],
    ["--severity", "high,huge", "low, medium, high, critical"],
    ["--who", "nobody", "operator"],
    ["--since", "yesterday", "24h"],
    ["--until", "2026-02-30", "2026-01-31"],
    ["--limit", "101", "1 to 100"],
    ["--before", "x", "whole number"],
    ["--before", "0", "whole number"],
    ["--before", "1000000000000000", "whole number"],
  ])("%s %s is wrong usage, and what is allowed is told", async (name, value, words) => {
    const outcome = await list([name, value]);
    expect([outcome.code, outcome.out, outcome.calls]).toEqual([2, "", []]);
    expect(outcome.err).toContain(words);
  });

  test("prints an activity a line in a pipe, without what steers a terminal", async () => {
    const odd = activity(7, {
      action: "Line one\nline\u001b[31m two",
      description: "carol@example.com as user",
      userEmail: null,
      userId: null,
      actorKind: "operator",
      duration: null,
      occurrences: 12,
    });
    const outcome = await list([], { answer: () => success(activityPage([activity(8), odd])) });
    expect([outcome.out, outcome.err]).toEqual([
      "2026-11-20 18:40:12Z\tcore\tadmin_action\tDisabled a user\tbob@example.com\tsuccess\thigh\tada@example.com\t1.25s\t8\n" +
        "2026-11-20 18:40:12Z\tcore\tadmin_action\tLine one\ufffdline\ufffd[31m two (12 times)\tcarol@example.com as user\tsuccess\thigh\toperator\tN/A\t7\n",
      "",
    ]);
  });

  test("on a terminal has headings, the total and the option for the next page, and says when there are none", async () => {
    const shown = await list([], { isTerminal: true });
    expect(shown.out).toContain("SEVERITY");
    expect(shown.err).toBe("2 of 1,234 activities; see older ones with --before 11\n");
    const last = () => success(activityPage([activity(12), activity(11)], { limit: 2 }));
    expect((await list([], { isTerminal: true, answer: last })).err).toBe("2 of 2 activities\n");
    const behind = await list(["--before", "13"], { isTerminal: true, answer: last });
    expect(behind.err).toContain("--before 11");
    const none = await list([], { isTerminal: true, answer: () => success(activityPage([])) });
    expect([none.out, none.err]).toEqual(["No activities found\n", ""]);
  });

  test("says where a search has its bounds", async () => {
    const noteFor = async (pagination: object) =>
      (await list([], { isTerminal: true, answer: () => success(activityPage([activity(1)], pagination)) }))
        .err;
    expect(await noteFor({ total: 1_000, totalIsEstimate: true })).toBe("1 of more than 1,000 activities\n");
    expect(await noteFor({ searchedNewest: 10_000 })).toBe(
      "1 of 1 activities; only the newest 10,000 were searched\n",
    );
  });

  test("says so in a pipe too, beside the lines and beside JSON", async () => {
    const bounded = { ...activityPage([activity(1)], { total: 1_000, totalIsEstimate: true }) };
    const estimated = () =>
      success({ ...bounded, stats: { ...bounded.stats, total: 1_000, coversNewest: 1_000 } });
    const short = () => success(activityPage([activity(1)], { searchedNewest: 10_000 }));
    for (const form of [[], ["--json"], ["--ndjson"]]) {
      expect((await list(form, { answer: estimated })).err).toBe(
        "more than 1,000 activities match; only the newest 1,000 were counted\n",
      );
      expect((await list(form, { answer: short })).err).toBe(
        "only the newest 10,000 activities were searched; use at least 3 letters or digits to search all of them\n",
      );
      expect((await list(form)).err).toBe("");
    }
  });

  test("that finds nothing on a terminal says that it looked at the newest alone", async () => {
    const none = () => success(activityPage([], { searchedNewest: 10_000 }));
    const outcome = await list(["--search", "zq"], { isTerminal: true, answer: none });
    expect(outcome.out).toBe("No activities found\n");
    expect(outcome.err).toStartWith("only the newest 10,000 activities were searched");
  });

  test("on a narrow terminal stays within it", async () => {
    const long = activity(1_234_567, {
      action: "word ".repeat(30),
      description: "about ".repeat(100),
      pluginName: "web-performance-optimization",
    });
    for (const columns of [80, 100, 120, 200]) {
      const { out } = await list([], {
        isTerminal: true,
        columns,
        answer: () => success(activityPage([long])),
      });
      const lines = Bun.stripANSI(out).trimEnd().split("\n");
      for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines[1]).toStartWith("2026-11-20 18:40:12Z  ");
      expect(lines[1]).toContain("  about about a");
      expect(lines[1]).toContain("…");
    }
    const piped = await list([], { columns: 80, answer: () => success(activityPage([long])) });
    expect(piped.out).toContain(`\t${long.description}\tsuccess\t`);
  });

  test("on a terminal of 80 columns says whom it was about", async () => {
    const change = activity(7, {
      action: "Changed the role of a user",
      description: "bob@example.com: user to admin",
    });
    const answer = () => success(activityPage([change]));
    const { out } = await list([], { isTerminal: true, columns: 80, answer });
    expect(out).toContain("bob@example.com");
  });

  test("on a terminal of 80 columns keeps the number that shows the rest, of a log of millions too", async () => {
    const answer = () => success(activityPage([activity(123_456_789, { action: "word ".repeat(30) })]));
    const { out } = await list([], { isTerminal: true, columns: 80, answer });
    const [head = "", row = ""] = Bun.stripANSI(out).split("\n");
    expect(head).toMatch(/ {2}ID$/);
    expect(row).toEndWith("  123456789");
    expect(row).toHaveLength(80);
  });

  test("prints exactly the API's data with --json, and an activity a line with --ndjson, but not both", async () => {
    expect(JSON.parse((await list(["--json"])).out)).toEqual(page);
    const { out } = await list(["--ndjson"], { isTerminal: true });
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(page.activities);
    const both = await list(["--json", "--ndjson"]);
    expect([both.code, both.calls]).toEqual([2, []]);
  });
});

describe("activity stats", () => {
  const stats = { ...page.stats, last24Hours: 2, failures: 1 };
  const count = (argv: string[] = [], world: World = {}) =>
    run(["activity", "stats", ...argv], { answer: () => success(stats), ...world });

  test("are those of the whole log, or of what the filters leave", async () => {
    expect(await callsOf(await count())).toEqual(["GET /api/admin/activity/stats"]);
    const some = await count(["--severity", "high", "--json"]);
    expect(await callsOf(some)).toEqual(["GET /api/admin/activity/stats?severity=high"]);
    expect(JSON.parse(some.out)).toEqual(stats);
  });

  test("are a figure a line in a pipe", async () => {
    expect((await count()).out).toBe(
      "total\t3\nlast24Hours\t2\nfailures\t1\nsecurityEvents\t1\nstatus.success\t2\nstatus.failure\t1\n" +
        "severity.high\t3\ntype.api_call\t2\ntype.admin_action\t1\nplugin.core\t3\n",
    );
  });

  test("are tiles and tables on a terminal", async () => {
    const { out } = await count([], { isTerminal: true, columns: 80 });
    expect(out).toContain("Security events");
    expect(out).toMatch(/api_call +2 {2,}/);
    const search = await count(["--search", "word"], { isTerminal: true });
    expect(search.out).toContain("Last 24 hours");
    expect(search.err).toBe("");
  });

  test("mark a total that is only the beginning, and say so, on a terminal or not", async () => {
    const many = () => success({ ...stats, total: 1_000, coversNewest: 1_000 });
    const note = "more than 1,000 activities match; only the newest 1,000 were counted\n";
    const piped = await count(["--search", "word"], { answer: many });
    expect(piped.out).toStartWith("total\t1000+\nlast24Hours\t2\nfailures\t1\n");
    expect(piped.out).toEndWith("plugin.core\t3\ncoversNewest\t1000\n");
    expect(piped.err).toBe(note);
    const shown = await count(["--search", "word"], { isTerminal: true, answer: many });
    expect(shown.out).toContain("1,000+");
    expect(shown.err).toBe(note);
    expect((await count(["--search", "word", "--json"], { answer: many })).err).toBe(note);
  });

  test("say that a short search looked at the newest alone, on a terminal or not", async () => {
    for (const isTerminal of [false, true]) {
      const outcome = await count(["--search", "zq"], { isTerminal });
      expect(outcome.out).not.toContain("+");
      expect(outcome.err).toBe(
        "only the newest 10,000 activities were searched; use at least 3 letters or digits to search all of them\n",
      );
    }
  });

  test("of an empty log have no tables", async () => {
    const none = {
      total: 0,
      byStatus: {},
      bySeverity: {},
      byType: {},
      pluginActivity: [],
      securityEvents: 0,
      coversNewest: null,
    };
    const { out } = await count([], {
      isTerminal: true,
      answer: () => success({ ...none, last24Hours: 0, failures: 0 }),
    });
    expect(out).not.toContain("COUNT");
  });
});

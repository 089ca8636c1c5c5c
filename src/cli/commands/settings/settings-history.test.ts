import { describe, expect, test } from "bun:test";
import { success } from "#cli/testing/run.ts";
import { callsOf, change, settings } from "#cli/testing/settings-world.ts";
import { isSettingPath } from "./settings-set.ts";

describe("settings history, show and revert", () => {
  test("history tells who changed what, and of secrets only that", async () => {
    const outcome = await settings(["history", "--limit", "5", "--before", "20"]);
    expect(await callsOf(outcome)).toEqual(["GET history?limit=5&before=20"]);
    expect(outcome.out).toBe(
      "12\t2026-11-20 18:40Z\tada@example.com\tcredentials.redis.endpoint: none → redis://cache.example; credentials.redis.password was set\n",
    );
  });

  const endpoint = `redis://${"a".repeat(120)}.example`;
  const long = {
    ...change,
    fields: [{ path: "redis.endpoint", isSecret: false, before: "redis://b.example", after: endpoint }],
    losesSecrets: [],
  };
  const only = (shown: object) => () => success({ changes: [shown], pagination: { total: 1, limit: 1 } });

  test("show tells one change whole, a field a line, however narrow the terminal", async () => {
    const outcome = await settings(["show", "12"]);
    expect(await callsOf(outcome)).toEqual(["GET history?limit=1&before=13"]);
    expect(outcome.out).toBe(
      [
        "Id\t12",
        "When\t2026-11-20 18:40:12Z",
        "By\tada@example.com",
        "Reverts\tnothing",
        "Can be reverted\tyes",
        "credentials.redis.endpoint\tnone → redis://cache.example",
        "credentials.redis.password\twas set",
        "",
      ].join("\n"),
    );
    const narrow = await settings(["show", "12"], { answer: only(long), isTerminal: true, columns: 60 });
    expect(narrow.out).toContain(`redis://b.example → ${endpoint}\n`);
    const json = await settings(["show", "12", "--json"], { answer: only(long) });
    expect(JSON.parse(json.out)).toEqual(long);
  });

  test("show of a change that is not there ends with 1, even where an older one is", async () => {
    for (const words of [
      ["show", "13"],
      ["show", "0"],
    ]) {
      const outcome = await settings(words);
      expect([outcome.code, outcome.out, outcome.err]).toEqual([1, "", "error: This change doesn't exist\n"]);
    }
  });

  test("revert shows what each field becomes and which secrets go, asks, and says what is back", async () => {
    const asked = await settings(["revert", "12"], { typed: ["n"] });
    expect([asked.code, await callsOf(asked)]).toEqual([1, ["GET history?limit=1&before=13"]]);
    expect(asked.err).toContain(
      "credentials.redis.endpoint: redis://cache.example → none\n" +
        "credentials.redis.password is removed permanently\n" +
        "Revert change 12? [y/N]: ",
    );
    const agreed = await settings(["revert", "12"], { typed: ["y"] });
    expect(await callsOf(agreed)).toEqual(["GET history?limit=1&before=13", "POST history/12/revert"]);
    const kept = await settings(["revert", "12"], { answer: only(long), typed: ["n"] });
    expect(kept.err).not.toContain("permanently");
    const done = await settings(["revert", "12", "--yes"]);
    expect(await callsOf(done)).toEqual(["POST history/12/revert"]);
    expect(done.out).toBe(
      "credentials.redis.endpoint: none → redis://cache.example\ncredentials.redis.password was set\n",
    );
  });

  test("the paths are those that settings get takes; with --json they are the API's", async () => {
    for (const words of [["history"], ["show", "12"], ["revert", "12", "--yes"]]) {
      const { out } = await settings(words);
      const paths = out.match(/[\w.]*redis\.(?:endpoint|password)/g) ?? [];
      expect([words, paths.length, paths.filter((path) => !isSettingPath(path))]).toEqual([words, 2, []]);
      const json = await settings([...words, "--json"]);
      expect(json.out).toContain('"path": "redis.endpoint"');
    }
  });

  test("revert of what cannot be taken back says why in place of asking, and changes nothing", async () => {
    const secret = { ...change, fields: change.fields.slice(1), canRevert: false, losesSecrets: [] };
    const stale = { ...change, canRevert: false, losesSecrets: [] };
    for (const [shown, why] of [
      [secret, "There is nothing to restore"],
      [stale, "This was changed again later"],
    ] as const) {
      const outcome = await settings(["revert", "12"], { answer: only(shown), typed: ["y"] });
      expect([outcome.code, outcome.calls.length]).toEqual([1, 1]);
      expect(outcome.err).toContain(why);
      expect(outcome.err).not.toContain("[y/N]");
    }
  });

  test("revert lets no value steer the terminal", async () => {
    const message = { path: "rateLimiting.message", isSecret: false, before: "a\u001b[2Jb", after: "c" };
    const steering = { ...long, section: "core", fields: [message] };
    const outcome = await settings(["revert", "12"], { answer: only(steering), typed: ["n"] });
    expect(outcome.err).toContain("c → a\ufffd[2Jb\n");
    const done = await settings(["revert", "12", "--yes"], { answer: () => success(steering) });
    expect(done.out).toContain("a\ufffd[2Jb → c\n");
  });
});

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notesCommands } from "#cli/testing/notes-commands.ts";
import { ok, plugin } from "#cli/testing/plugins.ts";
import { run } from "#cli/testing/run.ts";
import { completeCommands } from "#contract/plugin-commands.ts";

const database = { kind: "embedded", version: "18", sizeBytes: 1 } as const;
const snapshot = {
  name: "2026-11-21T14-30-00Z",
  madeAt: "2026-11-21T14:30:00.000Z",
  sizeBytes: 1,
  before: null,
};

describe("plans of what is changed on this machine:", () => {
  test("migrate names what it would apply, and applies nothing", async () => {
    const migrations = [
      { name: "0001_first", appliedAt: "2026-11-01T00:00:00.000Z" },
      { name: "0002_second", appliedAt: null },
    ];
    const { code, out } = await run(["migrate", "--plan"], {
      composition: { inspectDatabase: async () => ({ ...database, migrations }) },
    });
    expect({ code, out }).toEqual({ code: 0, out: "Would apply 1 migrations: 0002_second\n" });
  });

  test("snapshot restore says what would be replaced, and asks nobody", async () => {
    const { code, out } = await run(["snapshot", "restore", snapshot.name, "--plan"], {
      composition: { listSnapshots: async () => [snapshot] },
    });
    expect(code).toBe(0);
    expect(out).toStartWith(`Would put the snapshot ${snapshot.name} in the place of the database`);
  });

  test("snapshot restore ends with 1 for a snapshot that is not there", async () => {
    const { code, out, err } = await run(["snapshot", "restore", "none", "--plan"], {});
    expect(out).toBe("");
    expect(err).toContain("there is no snapshot none");
    expect(code).not.toBe(0);
  });

  test("plugin create makes no folder", async () => {
    const folder = join(tmpdir(), `atrium-plan-${crypto.randomUUID()}`);
    const { code, out } = await run(["plugin", "create", "visitor-notes", "--dir", folder, "--plan"]);
    expect(code).toBe(0);
    expect(out).toStartWith("Would make the folder");
    expect(existsSync(folder)).toBe(false);
  });
});

describe("plans of plugins' commands:", () => {
  const commands = completeCommands(
    { word: "notes", summary: "Notes", list: notesCommands },
    "visitor-notes",
  );
  const pluginWords = [{ plugin: "visitor-notes", commands }];
  const typed = (words: string[], row: object = {}) =>
    run(["notes", ...words, "--plan", "--json"], {
      pluginWords,
      answer: () => ok([{ ...plugin, name: "visitor-notes", ...row }]),
    });

  test("one that changes something names its call, which is not made", async () => {
    const { code, out, calls, started } = await typed(["drop", "7"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      plan: ["Would have visitor-notes do it"],
      calls: ["DELETE /api/visitor-notes/notes/:id"],
    });
    expect(calls.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      "GET /api/plugins",
    ]);
    expect(started).toEqual([]);
  });

  test("one that needs a secret asks for none", async () => {
    expect((await typed(["set", "7"])).code).toBe(0);
  });

  test("a plugin that is off stands against it", async () => {
    const { code, err } = await typed(["drop", "7"], { enabled: false });
    expect(code).toBe(1);
    expect(err).toContain("not enabled");
  });

  test("one that only reads takes no plan", async () => {
    expect((await typed(["list"])).code).toBe(2);
  });
});

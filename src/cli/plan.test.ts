import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fingerprintOf } from "#api/testing/fingerprint.ts";
import { changingCommands, localChanges, planless } from "#cli/testing/command-lines.ts";
import { runnableCommands, unrunProgram } from "#cli/testing/command-tree.ts";
import { type CommandWorld, createCommandWorld } from "#cli/testing/command-world.ts";
import { run } from "#cli/testing/run.ts";

const commands = runnableCommands(unrunProgram());
const changing = Object.entries(changingCommands);

let world: CommandWorld;
beforeAll(async () => {
  world = await createCommandWorld();
});
afterAll(() => world.close());

const typed = (name: string, words: string[], more: string[]) =>
  run([...name.split(" "), ...words, ...more], {
    answer: world.answer,
    composition: { packPlugin: async () => world.newest.bytes },
  });

describe("every command that changes something has a plan:", () => {
  test("the lists name each command once", () => {
    const named = [...changing.map(([name]) => name), ...localChanges, ...planless];
    expect(named.toSorted()).toEqual([...commands.keys()].toSorted());
  });

  for (const [name, command] of commands)
    test(`${name} ${planless.includes(name) ? "changes nothing and has none" : "takes --plan"}`, () => {
      const hasPlan = command.options.some(({ long }) => long === "--plan");
      expect(hasPlan).toBe(!planless.includes(name));
    });
});

// What they find stands against them in this world.
const refused: Record<string, RegExp> = {
  "plugin update": /notes has no waiting version/,
  "plugin rollback": /^Would|no earlier version/,
  "plugin delete-retained": /No data of this plugin is stored/,
  "plugin replace-publisher": /is from the same publisher/,
  "token remove": /./,
};

describe("with --plan nothing is changed:", () => {
  for (const [name, words] of changing)
    test(`${name} says what it would do, or why it would not`, async () => {
      await world.host.services.activity.settle();
      const before = await fingerprintOf(world.host.db);
      const { code, out, err, calls } = await typed(name, words(world), ["--plan"]);
      const sent = calls.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
      const harmless = /^GET |^POST \/api\/(?:plugins\/inspect$|plan\/)/;
      expect(sent.filter((call) => !harmless.test(call))).toEqual([]);
      expect(await fingerprintOf(world.host.db)).toEqual(before);
      expect(out + err).toMatch(refused[name] ?? /^Would /);
      expect(code).toBe(out === "" ? 1 : 0);
    });
});

describe("a plan finds what stands against the change, and ends as the change would:", () => {
  const cases: [string, string[] | (() => string[]), RegExp][] = [
    ["user disable", ["nobody@example.test"], /user doesn't exist/],
    ["user set-role", () => [world.admin, "user"], /last administrator/],
    ["user delete", () => [world.admin], /last administrator/],
    ["user create", () => ["--email", world.user, "--name", "Ada"], /already exists/],
    ["user verify", ["nobody@example.test"], /registration doesn't exist/],
    ["contact delete", [Bun.randomUUIDv7()], /message doesn't exist/],
    ["mail discard", [Bun.randomUUIDv7()], /email doesn't exist/],
    ["settings revert", ["999"], /change doesn't exist/],
    ["plugin enable", ["nothing"], /not installed/],
    ["plugin discard", ["notes", "9.9.9"], /./],
    ["plugin reinstall", ["notes"], /./],
    ["plugin keys revoke", ["ffff"], /key doesn't exist/],
    ["backup remove", ["none"], /backup not found/],
    ["backup schedule", ["--daily", "03:00", "--to", "storage"], /No object storage/],
  ];
  test("settings set: with 2 for a value that is out of range", async () => {
    const words = ["core.rateLimiting.maxRequests", "9"];
    const { code, out, err } = await typed("settings set", words, ["--plan"]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/10/);
  });

  for (const [name, words, reason] of cases)
    test(`${name}: ${String(reason)}`, async () => {
      const { code, out, err } = await typed(name, typeof words === "function" ? words() : words, ["--plan"]);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err).toMatch(reason);
    });
});

test("with --json a plan is words and calls", async () => {
  const { out } = await typed("user disable", [world.user], ["--plan", "--json"]);
  expect(JSON.parse(out)).toEqual({
    plan: [expect.stringContaining(`Would disable Person 2 <${world.user}>`)],
    calls: ["POST /api/admin/users/:user/disable"],
  });
});

test("a plan of settings shows no secret", async () => {
  const words = [
    "credentials.redis.endpoint",
    "redis://cache.example",
    "credentials.redis.password",
    "--stdin",
  ];
  const { out, err } = await run(["settings", "set", ...words, "--plan"], {
    answer: world.answer,
    input: "canary-of-a-password\n",
  });
  expect(out).toContain("set credentials.redis.password");
  expect(out + err).not.toContain("canary");
});

test("a plan for the first administrator makes no installation", async () => {
  let isOpened = false;
  const { code, out } = await run(["admin", "create", "--email", "a@example.test", "--name", "A", "--plan"], {
    composition: {
      hasDatabase: () => false,
      openApp: async () => {
        isOpened = true;
        throw new Error("made one");
      },
    },
  });
  expect({ code, isOpened }).toEqual({ code: 0, isOpened: false });
  expect(out).toStartWith("Would set up an installation");
});

describe("without a terminal nothing is asked:", () => {
  const asking = changing.filter(([name]) =>
    /asks (first|for confirmation)|shows what it wants/i.test(commands.get(name)?.description() ?? ""),
  );

  test("there are commands that ask", () => {
    expect(asking.map(([name]) => name)).toContain("user delete");
    expect(asking.length).toBeGreaterThan(9);
  });

  for (const [name, words] of asking.filter(([name]) => name !== "plugin update"))
    test(`${name} ends with 2, names --yes, and changes nothing`, async () => {
      const { code, out, err, calls } = await typed(name, words(world), []);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toContain("--yes");
      for (const { method, url } of calls) if (method !== "GET") expect(url).toMatch(/\/toggle$/);
    });

  for (const name of ["admin create", "user create"])
    test(`${name} ends with 2 and names --password-stdin`, async () => {
      const { code, err } = await typed(name, changingCommands[name]?.(world) ?? [], []);
      expect(code).toBe(2);
      expect(err).toContain("--password-stdin");
    });
});

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

  test("snapshot restore says what would be replaced, without a question", async () => {
    const { code, out } = await run(["snapshot", "restore", snapshot.name, "--plan"], {
      composition: { listSnapshots: async () => [snapshot] },
    });
    expect(code).toBe(0);
    expect(out).toStartWith("Would replace the database in ");
  });

  test("snapshot restore ends with 1 for a snapshot that is not there", async () => {
    const { code, out, err } = await run(["snapshot", "restore", "none", "--plan"], {});
    expect(out).toBe("");
    expect(err).toContain("snapshot not found: none");
    expect(code).not.toBe(0);
  });

  test("plugin create makes no folder", async () => {
    const folder = join(tmpdir(), `atrium-plan-${crypto.randomUUID()}`);
    const { code, out } = await run(["plugin", "create", "visitor-notes", "--dir", folder, "--plan"]);
    expect(code).toBe(0);
    expect(out).toStartWith("Would create the plugin ");
    expect(existsSync(folder)).toBe(false);
  });
});

import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { notesCommands } from "#cli/testing/notes-commands.ts";
import { ok, plugin } from "#cli/testing/plugins.ts";
import { refusal, run, success, type World } from "#cli/testing/run.ts";
import { completeCommands } from "#contract/plugin-commands.ts";

const commands = completeCommands(
  { word: "notes", summary: "Notes of visitors", list: notesCommands },
  "visitor-notes",
);
const pluginWords = [{ plugin: "visitor-notes", commands }];
const installed = { ...plugin, name: "visitor-notes", commandWord: "notes" };

const bundled = (argv: string[], world: World = {}) => run(argv, { pluginWords, ...world });

/** An installation that has the plugin, without its being part of the product. */
const answering =
  (routes: (request: Request) => Response, row: object = installed) =>
  (request: Request): Response => {
    const { pathname } = new URL(request.url);
    if (pathname === "/api/plugins") return ok([row]);
    return pathname === "/api/plugins/visitor-notes" ? ok({ ...row, commands }) : routes(request);
  };

/** What steers a terminal; line breaks and tabs are the output's own. */
const steering = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

const target = ({ method, url }: Request): string => `${method} ${url.replace(/^https?:\/\/[^/]+/, "")}`;

describe("a command of a plugin", () => {
  test("fills the path with its arguments and starts the plugin where no server runs", async () => {
    const { code, out, calls, started } = await bundled(["notes", "show", "7 b"], {
      answer: () => success({ text: "Hello", size: 1_500 }),
    });
    expect({ code, out }).toEqual({ code: 0, out: "text\tHello\nsize\t1.5 kB\n" });
    expect(calls.map(target)).toEqual(["GET /api/visitor-notes/notes/7%20b"]);
    expect(started).toEqual(["visitor-notes"]);
  });

  test("cannot be led to another route by an argument", async () => {
    for (const id of ["..", ".", ""]) {
      const { code, calls } = await bundled(["notes", "show", id], { answer: () => ok([installed]) });
      expect(code).toBe(1);
      expect(calls.filter(({ url }) => !url.endsWith("/api/plugins"))).toEqual([]);
    }
    const { calls } = await bundled(["notes", "show", "../../admin/users"], { answer: () => success({}) });
    expect(calls.map(target)).toEqual(["GET /api/visitor-notes/notes/..%2F..%2Fadmin%2Fusers"]);
  });

  test("shows rows as a table, and what is not there as nothing", async () => {
    const entries = [
      { text: "a", author: { name: "Ada" }, at: "2026-11-01T10:20:30.000Z" },
      { text: "b", author: null },
    ];
    const { out, calls } = await bundled(["notes", "list", "--per-page", "2"], {
      answer: () => success({ entries }),
    });
    expect(out).toBe("a\tAda\t2026-11-01 10:20Z\nb\t\t\n");
    expect(calls.map(target)).toEqual(["GET /api/visitor-notes/notes?perPage=2"]);
    const empty = await bundled(["notes", "list"], {
      answer: () => success({ entries: [] }),
      isTerminal: true,
    });
    expect(empty.out).toBe("No notes yet\n");
  });

  test("sends fixed fields, words, and what came over standard input", async () => {
    const { out, calls } = await bundled(["notes", "set", "7", "red", "--loud"], {
      input: "long text\n",
      answer: () => ok({ id: 7 }, "Changed the note"),
    });
    expect(out).toBe("Changed the note\n");
    expect(calls.map(target)).toEqual(["PUT /api/visitor-notes/notes/7?loud=true"]);
    expect(await calls[0]?.json()).toEqual({ isPinned: true, tag: "red", text: "long text" });
  });

  test("sends an object without fields where there is nothing to say: a route may ask for one", async () => {
    const { calls } = await bundled(["notes", "sort"], { answer: () => ok({}) });
    expect(calls[0]?.headers.get("content-type")).toBe("application/json");
    expect(await calls[0]?.json()).toEqual({});
  });

  test("asks for its input on a terminal without showing it, and reads a file when it is told to", async () => {
    const answer = () => ok({});
    const typed = await bundled(["notes", "set", "7"], { answer, typed: ["s3cret"] });
    expect(await typed.calls[0]?.json()).toMatchObject({ text: "s3cret" });
    expect(`${typed.out}${typed.err}`).not.toContain("s3cret");
    const folder = await mkdtemp(join(tmpdir(), "atrium-plugin-word-"));
    await Bun.write(join(folder, "text.txt"), "from a file\n");
    const read = await bundled(["notes", "set", "7", "--file", join(folder, "text.txt")], { answer });
    expect(await read.calls[0]?.json()).toMatchObject({ text: "from a file" });
    const missing = await bundled(["notes", "set", "7", "--file", join(folder, "none")], { answer });
    expect(missing).toMatchObject({ code: 2, calls: [] });
    await rm(folder, { recursive: true });
  });

  test("sends nothing without the input that it needs", async () => {
    const { code, err, calls } = await bundled(["notes", "set", "7"], { input: "" });
    expect({ code, calls }).toEqual({ code: 2, calls: [] });
    expect(err).toContain("The text: no value was given");
  });

  test("asks before it does what it says to ask for, unless --yes stands there", async () => {
    const answer = () => ok(null, "Deleted");
    const refused = await bundled(["notes", "drop", "7"], { answer, typed: ["n"] });
    expect(refused).toMatchObject({ code: 1, calls: [] });
    expect(refused.err).toContain("Delete the note 7? [y/N]");
    expect(await bundled(["notes", "drop", "7"], { answer })).toMatchObject({ code: 2, calls: [] });
    const done = await bundled(["notes", "drop", "7", "--yes"], { answer });
    expect(done).toMatchObject({ code: 0, out: "Deleted\n" });
    expect(done.calls.map(target)).toEqual(["DELETE /api/visitor-notes/notes/7"]);
  });

  test("with --json prints exactly the data, in an envelope or bare", async () => {
    const data = { text: "a\u0007", extra: [1] };
    for (const answer of [() => success(data), () => Response.json(data)]) {
      const { out } = await bundled(["notes", "show", "7", "--json"], { answer });
      expect(JSON.parse(out)).toEqual(data);
    }
  });

  test("never lets a plugin's texts steer the terminal", async () => {
    const evil = "a\u001b[2J\u202eb\u009b";
    const shown = [
      await bundled(["notes", "show", "7"], { answer: () => success({ text: evil }) }),
      await bundled(["notes", "list"], { answer: () => success({ entries: [{ text: evil }] }) }),
      await bundled(["notes", "drop", "7", "--yes"], { answer: () => ok(null, evil) }),
      await bundled(["notes", "drop", "7", "--yes"], { answer: () => refusal(409, "CONFLICT", evil) }),
      await bundled(["notes", "drop", "7", "--yes"], { answer: () => new Response(evil) }),
    ];
    for (const { out, err } of shown) expect(out + err).not.toMatch(steering);
    const words = {
      ...commands,
      summary: evil,
      list: commands.list.map((one) => ({ ...one, summary: evil })),
    };
    const help = await run(["notes", "--help"], {
      pluginWords: [{ plugin: "visitor-notes", commands: words }],
    });
    expect(help.out).not.toMatch(steering);
  });

  test("ends as others do when it is refused, also by a plugin that knows no codes", async () => {
    const invalid = { success: false, message: "Too long", errors: [{ path: "text", message: "Too long" }] };
    const cases: [Response, number, string][] = [
      [Response.json(invalid, { status: 422 }), 2, "VALIDATION_FAILED"],
      [Response.json({ message: "Gone" }, { status: 409 }), 1, "CONFLICT"],
      [refusal(401, "NOT_SIGNED_IN", "Sign in"), 3, "NOT_SIGNED_IN"],
      [refusal(500, "INTERNAL", "Something went wrong"), 1, "INTERNAL"],
      [new Response("<html>", { status: 200 }), 3, "UNREACHABLE"],
    ];
    for (const [response, code, kind] of cases) {
      const outcome = await bundled(["notes", "drop", "7", "--yes", "--json"], { answer: () => response });
      expect(outcome).toMatchObject({ code, out: "" });
      expect(JSON.parse(outcome.err)).toMatchObject({ success: false, code: kind });
    }
  });
});

describe("wrong usage of a plugin's command ends with 2", () => {
  test("and names the option that the route refuses, without the id of a request", async () => {
    const errors = [{ path: "perPage", message: "Too many" }];
    const refused = {
      success: false,
      code: "VALIDATION_FAILED",
      message: "Please check",
      requestId: "r1",
      errors,
    };
    const { code, err } = await bundled(["notes", "list", "--per-page", "900"], {
      answer: () => Response.json(refused, { status: 422 }),
    });
    expect(code).toBe(2);
    expect(err).toContain("--per-page: Too many");
    expect(err).not.toContain("r1");
  });

  test("for a value that an option does not have, without a request, and --help lists the values", async () => {
    const call = { method: "GET", path: "/notes" } as const;
    const options = [{ name: "kind", summary: "Which", values: ["old", "new"] }];
    const raw = { summary: "Notes", list: [{ name: "list", summary: "Lists", call, options }] };
    const words = [{ plugin: "visitor-notes", commands: completeCommands(raw, "notes") }];
    const wrong = await run(["notes", "list", "--kind", "foo"], { pluginWords: words });
    expect(wrong).toMatchObject({ code: 2, calls: [] });
    const help = await run(["notes", "list", "--help"], { pluginWords: words });
    expect(help.out).toContain('"old", "new"');
  });
});

describe("a command of a plugin that is not there to answer", () => {
  const gone = () => refusal(404, "NOT_FOUND", "Not found");

  test.each([
    [{ ...installed, enabled: false, state: "disabled" }, "atrium plugin enable visitor-notes"],
    [{ ...installed, enabled: true, state: "failed", error: "no ink" }, "is not running (failed): no ink"],
    [{ ...installed, name: "others" }, "is not installed"],
  ])("fails with what helps: %#", async (row, words) => {
    const { code, out, err } = await bundled(["notes", "show", "7"], { answer: answering(gone, row) });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(words);
  });

  test("says no more than the plugin did when that runs", async () => {
    const own = () => refusal(404, "NOT_FOUND", "There is no such note");
    const { code, err } = await bundled(["notes", "show", "7"], { answer: answering(own) });
    expect(code).toBe(1);
    expect(err).toContain("There is no such note");
  });
});

describe("the word of a plugin that is no part of the product", () => {
  test("is asked for where the command is run, in one and the same opened app", async () => {
    const { code, out, calls, started, isClosed } = await run(["notes", "show", "7"], {
      answer: answering(() => success({ text: "Hello" })),
    });
    expect({ code, out, isClosed }).toEqual({ code: 0, out: "text\tHello\n", isClosed: true });
    expect(calls.map(target)).toEqual([
      "GET /api/plugins",
      "GET /api/plugins/visitor-notes",
      "GET /api/visitor-notes/notes/7",
    ]);
    expect(started).toEqual(["visitor-notes"]);
  });

  test("has its help, with examples", async () => {
    const { code, out, isClosed } = await run(["notes", "show", "--help"], {
      answer: answering(() => success({})),
    });
    expect({ code, isClosed }).toEqual({ code: 0, isClosed: true });
    expect(out).toContain("$ atrium notes show 7");
    expect(out).toContain("--json");
  });

  test("fails with the remedy when the plugin is off", async () => {
    const row = { ...installed, enabled: false, state: "disabled" };
    const { code, err, isClosed } = await run(["notes", "list"], {
      answer: answering(() => success({}), row),
    });
    expect({ code, isClosed }).toEqual({ code: 1, isClosed: true });
    expect(err).toContain("atrium plugin enable visitor-notes");
  });

  test("is wrong usage when no plugin has it, when the list may not be read, and without an installation", async () => {
    const { state: _, commandWord: __, ...little } = installed;
    for (const row of [{ ...installed, commandWord: null }, little]) {
      const { code, err } = await run(["notes", "list"], { answer: answering(() => success({}), row) });
      expect(code).toBe(2);
      expect(err).toContain("unknown command 'notes'");
    }
    const none = await run(["notes", "list"], { composition: { hasDatabase: () => false } });
    expect(none).toMatchObject({ code: 2, calls: [] });
  });

  test("says so when it could not be asked for", async () => {
    const { code, err } = await run(["notes", "list"], {
      answer: () => refusal(503, "DB_UNAVAILABLE", "Down"),
    });
    expect(code).toBe(2);
    expect(err).toContain("Could not check whether a plugin has this command: Down");
  });

  test("is not guessed at when two plugins have it", async () => {
    const other = { ...installed, name: "more-notes" };
    const { code, err } = await run(["notes", "list"], { answer: () => ok([installed, other]) });
    expect(code).toBe(1);
    expect(err).toContain("visitor-notes and more-notes both have");
  });
});

test("the program's help names the commands of included plugins, without a request", async () => {
  const { code, out, calls } = await bundled(["--help"]);
  expect({ code, calls }).toEqual({ code: 0, calls: [] });
  expect(out).toMatch(/notes\s+Notes of visitors/);
});

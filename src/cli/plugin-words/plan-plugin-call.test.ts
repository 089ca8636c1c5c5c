import { describe, expect, test } from "bun:test";
import { notesCommands } from "#cli/testing/notes-commands.ts";
import { ok, plugin } from "#cli/testing/plugins.ts";
import { run } from "#cli/testing/run.ts";
import { completeCommands } from "#contract/plugin-commands.ts";

describe("plans of plugins' commands:", () => {
  const commands = completeCommands(
    { word: "notes", summary: "Notes", list: notesCommands },
    "visitor-notes",
  );
  const pluginWords = [{ plugin: "visitor-notes", commands }];
  const tag = { type: "string", minLength: 2, pattern: "^[a-z]+$" };
  const described = (schema: object) => ({
    "/api/visitor-notes/notes/{id}": {
      delete: { summary: "Delete a note" },
      put: {
        summary: "Change a note",
        parameters: [{ name: "loud", in: "query", required: true, schema: { type: "string" } }],
        requestBody: { content: { "application/json": { schema } } },
      },
    },
    "/api/visitor-notes/sort": { post: { requestBody: { content: { "application/json": { schema } } } } },
  });
  const strict = { type: "object", properties: { tag }, required: ["tag"], additionalProperties: false };
  const paint = {
    ...{ name: "paint", summary: "Paints the notes", call: { method: "POST", path: "/sort" } as const },
    ...{ arguments: [{ name: "tag", summary: "A tag" }], options: [{ name: "ink", summary: "Its ink" }] },
  };
  const typed = (words: string[], { row = {}, schema = strict }: { row?: object; schema?: object } = {}) =>
    run(["notes", ...words, "--plan", "--json"], {
      pluginWords: [
        {
          plugin: "visitor-notes",
          commands: completeCommands(
            { word: "notes", summary: "Notes", list: [...notesCommands, paint] },
            "visitor-notes",
          ),
        },
      ],
      answer: ({ url }) =>
        url.endsWith("/swagger/json")
          ? Response.json({ openapi: "3.1.0", paths: described(schema) })
          : ok([{ ...plugin, name: "visitor-notes", ...row }]),
    });
  const planOf = async (...how: Parameters<typeof typed>): Promise<string> => {
    const { code, out, err } = await typed(...how);
    expect([code, err]).toEqual([0, ""]);
    return JSON.parse(out).plan.join();
  };

  test("one that changes something names its call, which is not made", async () => {
    const { code, out, calls } = await typed(["drop", "7"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      plan: ["Would call DELETE /api/visitor-notes/notes/7: Delete a note"],
      calls: ["DELETE /api/visitor-notes/notes/:id"],
    });
    expect(new Set(calls.map(({ method, url }) => `${method} ${new URL(url).pathname}`))).toEqual(
      new Set(["GET /api/plugins", "GET /swagger/json"]),
    );
  });

  test("one that needs a secret asks for none, and says what it would ask for", async () => {
    expect(await planOf(["set", "7", "red", "--loud"])).toBe(
      'Would call PUT /api/visitor-notes/notes/7?loud=true: Change a note, with {"isPinned":true,"tag":"red"} and the text that it asks for',
    );
  });

  test("one ends as the change would for values that the description of the API refuses", async () => {
    expect(await planOf(["paint", "red"])).toBe(
      'Would call POST /api/visitor-notes/sort, with {"tag":"red"}',
    );
    const short = await typed(["paint", "r"]);
    expect([short.code, short.out, JSON.parse(short.err)]).toEqual([
      2,
      "",
      expect.objectContaining({ code: "USAGE", errors: [{ path: "<tag>", message: expect.any(String) }] }),
    ]);
    expect((await typed(["paint", "red", "--ink", "blue"])).code).toBe(2);
    const fixed = await typed(["sort"]);
    expect([fixed.code, JSON.parse(fixed.err).code]).toEqual([2, "VALIDATION_FAILED"]);
    const quiet = await typed(["set", "7"]);
    expect([quiet.code, JSON.parse(quiet.err).errors]).toEqual([
      2,
      [{ path: "--loud", message: expect.any(String) }],
    ]);
  });

  test("one refuses nothing by a description that it cannot be sure of", async () => {
    // The pattern is for the server's engine: here it refuses nobody.
    for (const schema of [
      { type: "object", properties: { tag: { not: { type: "string", pattern: "^x" } } } },
      { type: "object", properties: { tag: { $ref: "#/components/schemas/Tag" } } },
      strict,
    ])
      expect(await planOf(["paint", "RED"], { schema })).toContain('{"tag":"RED"}');
  });

  test("one whose call the plugin does not have ends with 1", async () => {
    const { code, err } = await run(["notes", "drop", "7", "--plan"], {
      pluginWords,
      answer: ({ url }) =>
        url.endsWith("/swagger/json")
          ? Response.json({ openapi: "3.1.0", paths: {} })
          : ok([{ ...plugin, name: "visitor-notes" }]),
    });
    expect(code).toBe(1);
    expect(err).toContain("there is no call DELETE /api/visitor-notes/notes/7");
  });

  test("a plugin that is off stands against it", async () => {
    const { code, err } = await typed(["drop", "7"], { row: { enabled: false } });
    expect(code).toBe(1);
    expect(err).toContain("not enabled");
  });

  test("one that only reads takes no plan", async () => {
    expect((await typed(["list"])).code).toBe(2);
  });
});

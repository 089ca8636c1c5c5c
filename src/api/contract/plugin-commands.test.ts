import { describe, expect, test } from "bun:test";
import { readManifest } from "./plugin-manifest.ts";
import { commandTexts as texts } from "./plugin-texts.ts";

const show = { name: "show", summary: "Shows a note", call: { method: "GET", path: "/notes/:id" } };
const id = { name: "id", summary: "Which one" };
const least = { ...show, arguments: [id] };

const manifest = (commands: unknown, name = "visitor-notes") => ({
  ...{ manifestVersion: 1, name, version: "1.0.0" },
  commands,
});
const read = (commands: unknown, name?: string) => {
  const result = readManifest(manifest(commands, name));
  return "manifest" in result ? result.manifest.commands : null;
};
const problems = (command: object, rest: object = {}) => {
  const result = readManifest(manifest({ summary: "Notes", list: [{ ...least, ...command }], ...rest }));
  return "problems" in result ? result.problems : [];
};

describe("the terminal commands of a manifest", () => {
  test("have their defaults filled in", () => {
    expect(read({ summary: "Notes", list: [least] })).toEqual({
      word: "visitor-notes",
      summary: "Notes",
      list: [
        {
          name: "show",
          summary: "Shows a note",
          description: "Shows a note",
          arguments: [{ ...id, required: true }],
          options: [],
          call: { method: "GET", path: "/notes/:id", body: {} },
          input: null,
          confirm: null,
          output: { message: "message" },
          examples: [],
        },
      ],
    });
  });

  test("send options in the body where there is one, and else in the query", () => {
    const options = [{ name: "per-hour", summary: "How many", type: "integer", field: "perHour" }];
    const change = { ...least, name: "set", options, call: { method: "PUT", path: "/notes/:id" } };
    const list = read({ summary: "Notes", list: [{ ...least, options }, change] })?.list;
    expect(list?.map((command) => command.options[0]?.in)).toEqual(["query", "body"]);
    expect(list?.[0]?.options[0]).toMatchObject({ name: "per-hour", field: "perHour", type: "integer" });
  });

  test("show a table, facts or a message, and one of them alone", () => {
    const columns = [{ title: "Text", field: "note.text" }];
    const output = (shown: object) =>
      read({ summary: "Notes", list: [{ ...least, output: shown }] })?.list[0]?.output;
    expect(output({ table: { columns } })).toEqual({
      table: { rows: null, columns: [{ title: "Text", field: "note.text", format: "text" }], empty: null },
    });
    expect(output({ fields: columns })).toEqual({
      fields: [{ title: "Text", field: "note.text", format: "text" }],
    });
    expect(problems({ output: { message: "a", fields: columns } })[0]?.path).toBe("commands.list.0.output");
    expect(problems({ output: {} })[0]?.path).toBe("commands.list.0.output");
  });
});

describe("a manifest is refused", () => {
  const at = (path: string, message: string) => [{ path: `commands.list.0.${path}`, message }];

  test.each([
    [{ word: "serve" }, texts.wordReserved],
    [{ word: "help" }, texts.wordReserved],
    [{ word: "Notes" }, texts.word],
    [{ word: "no tes" }, texts.word],
    [{ word: "-notes" }, texts.word],
  ])("whose first word is %j", (rest, message) => {
    expect(problems({}, rest)).toEqual([{ path: "commands.word", message }]);
  });

  test("whose name is a word of Atrium, unless it gives another", () => {
    expect(readManifest(manifest({ summary: "Notes", list: [least] }, "doctor"))).toEqual({
      problems: [{ path: "commands", message: texts.wordNeeded }],
    });
    expect(read({ word: "notes", summary: "Notes", list: [least] }, "doctor")?.word).toBe("notes");
  });

  test.each([
    ["/notes/../../admin/users", texts.path],
    ["/notes/..", texts.path],
    ["/./notes", texts.path],
    ["//evil.example", texts.path],
    ["notes", texts.path],
    ["/notes?all=1", texts.path],
    ["/notes/%2e%2e", texts.path],
    ["https://evil.example/", texts.path],
    ["/notes/:other", texts.pathName("other")],
    ["/notes/:id/:id", texts.twice],
  ])("whose call goes to %j", (path, message) => {
    expect(problems({ call: { method: "GET", path } })).toEqual(at("call.path", message));
  });

  test.each([
    [{ options: [{ name: "json", summary: "x" }] }, "options.0.name", texts.optionReserved],
    [{ options: [{ name: "token-file", summary: "x" }] }, "options.0.name", texts.optionReserved],
    [{ options: [{ name: "--all", summary: "x" }] }, "options.0.name", texts.option],
    [{ options: [{ name: "no-id", summary: "x" }] }, "options.0.name", texts.negated],
    [{ options: [{ name: "id", summary: "x" }] }, "options.0.name", texts.twice],
    [{ options: [{ name: "all", summary: "x", in: "body" }] }, "options.0.in", texts.noBody("GET")],
    [{ arguments: [{ ...id, required: false }] }, "arguments.0.required", texts.pathRequired],
    [{ input: { field: "key", summary: "x" } }, "input", texts.noBody("GET")],
    [{ call: { ...show.call, body: { on: true } } }, "call.body", texts.noBody("GET")],
    [{ examples: [{ summary: "x", typed: "rm -rf /" }] }, "examples.0.typed", texts.example],
  ])("with %j", (command, path, message) => {
    expect(problems(command)).toEqual(at(path, message));
  });

  test("with arguments that must be given behind some that need not", () => {
    const words = [id, { name: "from", summary: "x", required: false }, { name: "to", summary: "x" }];
    expect(problems({ arguments: words })).toEqual(at("arguments.2.required", texts.requiredLast));
  });

  test("with two commands of one name, or with an option that its input has already", () => {
    const twice = readManifest(manifest({ summary: "Notes", list: [least, least] }));
    expect(twice).toEqual({ problems: [{ path: "commands.list.1.name", message: texts.twice }] });
    const input = { field: "text", summary: "x", file: true };
    const call = { method: "PUT", path: "/notes/:id" };
    const options = [{ name: "file", summary: "x" }];
    expect(problems({ call, input, options })).toEqual(at("options.0.name", texts.fileOption));
  });

  test("with a text that steers a terminal", () => {
    expect(problems({ summary: "a\u001b[2Jb" })[0]?.path).toBe("commands.list.0.summary");
    expect(problems({ confirm: "Sure\u202e?" })[0]?.path).toBe("commands.list.0.confirm");
  });
});

import { expect, test } from "bun:test";
import { runnableCommands, unrunProgram } from "#cli/testing/command-tree.ts";
import { run } from "#cli/testing/run.ts";
import { emphasised, manPage, plainLines } from "./man.ts";

const program = unrunProgram();
const page = manPage(program, "1.2.3");
const lines = page.split("\n");

test("the manual has every command with its options and an example", () => {
  const sections = page.split("\n.SS ");
  for (const [name, command] of runnableCommands(program)) {
    const section = sections.find((part) => part.startsWith(`"${emphasised(`atrium ${name}`)}"\n`)) ?? "";
    expect(section).not.toBe("");
    for (const { long } of command.options) expect(section).toContain(emphasised(String(long)));
    expect(section).toContain("Examples:");
  }
});

test("the parts of a manual are there, in their order", () => {
  const heads = lines.filter((line) => line.startsWith(".SH ")).map((line) => line.slice(4));
  expect(heads).toEqual([
    ...["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "FILES", "SEE ALSO"],
  ]);
});

test("no text is taken for a command of roff", () => {
  const known = new Set(["TH", "SH", "SS", "PP", "TP", "B", "I", "nf", "fi", "sp"]);
  const used = lines.filter((line) => /^[.']/.test(line)).map((line) => line.slice(1).split(" ")[0] ?? "");
  expect(used.filter((name) => !known.has(name))).toEqual([]);
  expect(plainLines(".env is read")).toEqual(["\\&.env is read"]);
  expect(plainLines("'d' is typed")).toEqual(["\\(aqd\\(aq is typed"]);
  expect(plainLines("C:\\data")).toEqual(["C:\\edata"]);
});

test("is ASCII, and says what is not by its number", () => {
  expect([...page].filter((character) => !/[\n -~]/.test(character))).toEqual([]);
  expect(emphasised("age1… 😀")).toBe("age1\\[u2026] \\[u1F600]");
});

test("atrium man prints it, for the version that runs", async () => {
  const { code, out } = await run(["man"]);
  expect(code).toBe(0);
  expect(out).toStartWith('.TH ATRIUM 1 "" "Atrium 1.2.3" "Atrium"\n');
});

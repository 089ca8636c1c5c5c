import { describe, expect, test } from "bun:test";
import type { Command } from "commander";
import { createProgram } from "./program.ts";
import { processTerminal } from "./terminal.ts";

const terminal = processTerminal({});
const program = createProgram(
  {
    terminal,
    environment: () => ({}),
    compose: () => {
      throw new Error("no command is run here");
    },
  },
  "1.2.3",
);
const guide = await Bun.file(new URL("../../docs/cli.md", import.meta.url)).text();

/** Every command that can be run, with its full name. */
const runnable = (command: Command, name: string): [string, Command][] =>
  command.commands.length === 0
    ? [[name, command]]
    : command.commands.flatMap((child) => runnable(child, `${name} ${child.name()}`));

const commands = runnable(program, "atrium");

describe("the guide docs/cli.md", () => {
  for (const [name, command] of commands) {
    test(`has a section for ${name}, with each of its options`, () => {
      const section = guide.split("\n### ").find((part) => part.startsWith(`\`${name}\``)) ?? "";
      expect(section).not.toBe("");
      for (const { long } of command.options) expect(section).toContain(`${long}`);
    });
  }

  test("names no command that does not exist", () => {
    const named = [...guide.matchAll(/^### `(.+)`$/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(commands.map(([name]) => name).sort());
  });

  test("explains every option that all commands take", () => {
    for (const { flags } of program.options) expect(guide).toContain(`\`${flags}\``);
  });
});

describe("the help of each command", () => {
  for (const [name, command] of commands) {
    test(`${name} says what it does and shows it in use, with options that exist`, () => {
      let help = "";
      command.configureOutput({
        writeOut: (text) => {
          help += text;
        },
      });
      command.outputHelp();
      expect(command.description().length).toBeGreaterThan(40);
      const examples = help.split("Examples:\n")[1] ?? "";
      expect(examples).toContain(`atrium${name.slice("atrium".length)}`);
      const known = [...command.options, ...program.options].map(({ long }) => long);
      for (const [option] of examples.matchAll(/(?<= )--[a-z-]+/g)) expect(known).toContain(option);
    });
  }
});

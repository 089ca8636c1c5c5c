import { describe, expect, test } from "bun:test";
import type { Command } from "commander";
import { shippedPlugins } from "#api/plugin-host/package/shipped-packages.ts";
import { reservedCommandWords, reservedOptionNames } from "#contract/command-words.ts";
import { firstPartyPlugins } from "#plugins/first-party.ts";
import type { Cli } from "./invocation.ts";
import { addPluginWord } from "./plugin-words/add-plugin-word.ts";
import { createProgram } from "./program.ts";
import { processTerminal } from "./terminal/terminal.ts";
import { runnableCommands } from "./testing/command-tree.ts";

const terminal = processTerminal({});
const cli: Cli = {
  terminal,
  environment: () => ({}),
  compose: () => {
    throw new Error("no command is run here");
  },
  pluginWords: async () => [],
};
const program = createProgram(cli, "1.2.3");
const ownWords = [...runnableCommands(program).keys()].map((words) => words.split(" ")[0] ?? "");
for (const { manifest } of shippedPlugins(firstPartyPlugins)) {
  const { name: plugin, commands } = manifest;
  if (commands !== null) addPluginWord(program, cli, { plugin, commands });
}
const guide = await Bun.file(new URL("../../docs/cli.md", import.meta.url)).text();

const commands = [...runnableCommands(program)].map(
  ([words, command]) => [`atrium ${words}`, command] as const,
);

test("no plugin can take a word of the product's own", () => {
  expect(ownWords.filter((word) => !reservedCommandWords.some((reserved) => reserved === word))).toEqual([]);
});

test("no plugin can have an option that commands of the product have in common", () => {
  const everywhere = [...program.options.map(({ long }) => long), "--help", "--plan"];
  const names = everywhere.map((long) => String(long).slice(2));
  expect(names.sort()).toEqual([...reservedOptionNames]);
});

test("no command has to be given an option that a command above it takes: commander hands it to that one", () => {
  const above = (command: Command): Command[] =>
    command.parent === null ? [] : [command.parent, ...above(command.parent)];
  const lost = commands.filter(([, command]) =>
    command.options.some(
      ({ long, mandatory }) =>
        mandatory && above(command).some(({ options }) => options.some((option) => option.long === long)),
    ),
  );
  expect(lost.map(([name]) => name)).toEqual([]);
});

describe("the guide docs/cli.md", () => {
  for (const [name, command] of commands) {
    test(`has a section for ${name}, with each of its options`, () => {
      const section = guide.split("\n### ").find((part) => part.startsWith(`\`${name}\``)) ?? "";
      expect(section).not.toBe("");
      // What all have that change something is explained once.
      const own = command.options.filter(({ long }) => long !== "--plan");
      for (const { long } of own) expect(section).toContain(`${long}`);
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
      const listed = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, option]) => option);
      expect(listed).toEqual([...new Set(listed)]);
      expect(command.description().length).toBeGreaterThan(40);
      const examples = help.split("Examples:\n")[1] ?? "";
      expect(examples).toContain(`atrium${name.slice("atrium".length)}`);
      const known = [...command.options, ...program.options].map(({ long }) => long);
      for (const [option] of examples.matchAll(/(?<= )--[a-z-]+/g)) expect(known).toContain(option);
    });
  }
});

import { afterAll, describe, expect, test } from "bun:test";
import { startShippedPlugins } from "#api/testing/shipped-plugins.ts";
import { runnableCommands, unrunProgram } from "#cli/testing/command-tree.ts";
import { otherWays, pluginParity, tableOf } from "./parity-table.ts";

const plugins = await startShippedPlugins();
afterAll(async () => {
  await Promise.all(plugins.map(({ runtime }) => runtime.stop("shutdown")));
});

const rows = pluginParity(plugins);
const ownWords = plugins.flatMap(({ manifest: { name, commands } }) =>
  name === "plugin-template" ? [] : (commands?.list ?? []).map((one) => `${commands?.word} ${one.name}`),
);

describe("what administrators do on pages of plugins, they can look up for a terminal:", () => {
  test("every command of theirs has its row, and every row a command that there is", () => {
    const named = rows.map(({ command }) => command ?? "");
    expect(ownWords.filter((words) => !named.includes(words))).toEqual([]);
    const known = new Set([...ownWords, ...runnableCommands(unrunProgram()).keys()]);
    expect(named.filter((words) => !known.has(words))).toEqual([]);
  });

  test("what a command does in another way is a call of a page", () => {
    const calls = rows.map(({ call }) => call);
    expect(Object.keys(otherWays).filter((call) => !calls.includes(call))).toEqual([]);
  });

  test("every action is told in words, and none as another one is", () => {
    expect(rows.filter(({ action }) => !/^[A-Z][a-z]+ .{3,}$/.test(action))).toEqual([]);
    const calls = new Map(rows.map(({ call, action }) => [call, action]));
    expect(new Set(calls.values()).size).toBe(calls.size);
  });

  test("docs/cli-actions.md shows the table as it is", async () => {
    expect(await Bun.file("docs/cli-actions.md").text()).toContain(tableOf(rows));
  });
});

import { afterAll, describe, expect, test } from "bun:test";
import { startShippedPlugins } from "#api/testing/shipped-plugins.ts";
import { runnableCommands, unrunProgram } from "#cli/testing/command-tree.ts";
import { otherWays, pluginParity, tableOf, withoutCommand } from "./parity-table.ts";

const plugins = await startShippedPlugins();
afterAll(async () => {
  await Promise.all(plugins.map(({ runtime }) => runtime.stop("shutdown")));
});

const rows = pluginParity(plugins);

const verbs =
  /^(Accept|Add|Allow|Ban|Cancel|Change|Clear|Confirm|Deny|Enable|Enter|Explain|Export|Go|Import|Lift|List|Measure|Remove|Restore|Revert|Set|Show|Stop|Test|Turn) /;

/** The commands of plugins' manifests, each with its call as the API has it. */
const calls = new Map(
  plugins.flatMap(({ manifest: { name: plugin, commands } }) =>
    (plugin === "plugin-template" ? [] : (commands?.list ?? [])).map(({ name, call }): [string, string] => [
      `${commands?.word} ${name}`,
      `${call.method} /api/${plugin}${call.path}`,
    ]),
  ),
);

describe("what administrators do on pages of plugins, they can look up for a terminal:", () => {
  test("every command of theirs has its row, and every row a command that there is", () => {
    const named = rows.map(({ command }) => command ?? "");
    expect([...calls.keys()].filter((words) => !named.includes(words))).toEqual([]);
    const known = new Set([...calls.keys(), ...runnableCommands(unrunProgram()).keys()]);
    expect(named.filter((words) => !known.has(words))).toEqual([]);
  });

  test("the command makes that call, or the row says why not, save of what `api` reads", () => {
    const unexplained = rows.filter(({ call, command, why }) => {
      const isSame = calls.get(command ?? "") === call;
      const isRead = command === "api" && call.startsWith("GET ");
      return (isSame || isRead) !== (why === undefined);
    });
    expect(unexplained).toEqual([]);
  });

  test("every reason is that of a call without a command of its own", () => {
    const explained = rows.filter(({ why }) => why !== undefined).map(({ call }) => call);
    const reasons = [...Object.keys(otherWays), ...Object.keys(withoutCommand)];
    expect(explained.toSorted()).toEqual(reasons.toSorted());
  });

  test("every action begins with a verb, and none is there twice", () => {
    const actions = rows.map(({ action }) => action);
    expect(actions.filter((action) => !verbs.test(action))).toEqual([]);
    expect(actions.filter((action, at) => actions.indexOf(action) !== at)).toEqual([]);
  });

  test("docs/cli-actions.md shows the table as it is", async () => {
    expect(await Bun.file("docs/cli-actions.md").text()).toContain(tableOf(rows));
  });
});

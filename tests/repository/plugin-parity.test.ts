import { afterAll, describe, expect, test } from "bun:test";
import { startShippedPlugins } from "#api/testing/shipped-plugins.ts";
import { pluginParity } from "#cli/plugin-parity.ts";
import { runnableCommands, unrunProgram } from "#cli/testing/command-tree.ts";
import { pluginParityTable } from "./parity-table.ts";

// It shows authors what a plugin can do, and administrates nothing.
const sample = "plugin-template";

const started = await startShippedPlugins();
const plugins = started.filter(({ manifest }) => manifest.name !== sample);
afterAll(async () => {
  await Promise.all(started.map(({ runtime }) => runtime.stop("shutdown")));
});

/** The commands of shipped plugins, each with its call as the API has it. */
const commands = new Map(
  plugins.flatMap(({ manifest: { name: plugin, commands } }) =>
    (commands?.list ?? []).map(({ name, call }): [string, string] => [
      `${commands?.word} ${name}`,
      `${call.method} /api/${plugin}${call.path}`,
    ]),
  ),
);
const own = [...runnableCommands(unrunProgram()).keys()];

describe("what administrators do on pages of plugins, they can look up for a terminal:", () => {
  for (const { manifest, runtime } of plugins)
    test(`every route of ${manifest.name} for administrators has its row`, () => {
      const routes = runtime.registration.routes
        .filter(({ access }) => access === "admin")
        .map(({ method, path }) => `${method} /api/${manifest.name}${path}`);
      const rows = pluginParity.map(({ call }) => call);
      expect(routes).not.toEqual([]);
      expect(new Set(rows.filter((call) => call.split("/")[2] === manifest.name))).toEqual(new Set(routes));
    });

  test("every command of theirs has its row", () => {
    const rows = pluginParity.map(({ command }) => command);
    expect([...commands.keys()].filter((name) => !rows.includes(name))).toEqual([]);
  });

  for (const row of pluginParity)
    test(`${row.action}: the command makes that call, or the row says why not`, () => {
      expect([...commands.keys(), ...own]).toContain(row.command);
      const isSame = row.command === "api" || commands.get(row.command) === row.call;
      expect(isSame).toBe(!("why" in row));
    });

  test("every action is told in words", () => {
    expect(pluginParity.filter(({ action }) => !/^[A-Z][a-z]+ .{3,}$/.test(action))).toEqual([]);
  });

  test("no action stands there twice", () => {
    const actions = pluginParity.map(({ action }) => action);
    expect(actions.filter((one, at) => actions.indexOf(one) !== at)).toEqual([]);
  });

  test("docs/cli-actions.md shows the table as it is", async () => {
    expect(await Bun.file("docs/cli-actions.md").text()).toContain(pluginParityTable());
  });
});

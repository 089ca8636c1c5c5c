import { describe, expect, test } from "bun:test";
import { accessMatrix } from "#api/testing/access-matrix.ts";
import { parity } from "#cli/parity.ts";
import { runnableCommands, unrunProgram } from "#cli/testing/command-tree.ts";
import { findPageCalls } from "./find-page-calls.ts";
import { parityTable } from "./parity-table.ts";

const commands = runnableCommands(unrunProgram());
const calls = parity.map(({ call }) => call);
const pageCalls = await findPageCalls("src/ui/features/admin");

/** Routes for administrators and for nobody else; the operator's own are commands from the beginning. */
const adminRoutes = Object.entries(accessMatrix)
  .filter(
    ([name, { statuses }]) => name.includes(" /api/") && statuses.user === 403 && statuses.admin !== 403,
  )
  .map(([name]) => name);

/** Whether a call in a page's code, where `:x` stands for what is only known there, is a call of that route. */
const isCallOf = (call: string, route: string): boolean => {
  const [parts, wanted] = [call.split("/"), route.split("/")];
  return parts.length === wanted.length && parts.every((part, at) => isPart(part, wanted[at] ?? ""));
};

const isPart = (part: string, wanted: string): boolean => {
  if (wanted.startsWith(":")) return part === ":x";
  return part.endsWith(":x") ? part !== ":x" && wanted.startsWith(part.slice(0, -2)) : part === wanted;
};

describe("what administrators do on pages, they can do in a terminal:", () => {
  for (const route of adminRoutes)
    test(`${route} has its command`, () => {
      expect(calls).toContain(route);
    });

  test("every call in the code of the admin area has its row", () => {
    expect(pageCalls.size).toBeGreaterThan(40);
    const others = Object.keys(accessMatrix).filter((route) => !adminRoutes.includes(route));
    const known = [...calls, ...others];
    expect([...pageCalls].filter((call) => !known.some((route) => isCallOf(call, route)))).toEqual([]);
  });

  for (const { action, call, command } of parity)
    test(`${action}: the route and the command exist`, () => {
      expect(Object.keys(accessMatrix)).toContain(call);
      if (command !== null) expect([...commands.keys()]).toContain(command);
    });

  test("no action stands there twice", () => {
    expect(calls.filter((call, at) => calls.indexOf(call) !== at)).toEqual([]);
  });

  test("docs/cli.md shows the table as it is", async () => {
    expect(await Bun.file("docs/cli.md").text()).toContain(parityTable());
  });
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { Glob } from "bun";
import { operations } from "#api/operations.ts";
import { coreMatrix } from "#api/testing/access-matrix.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { runnableCommands, unrunProgram } from "#cli/testing/command-tree.ts";
import { createParityRun, isCallOf } from "./parity-run.ts";
import { type ParityRow, parity, tableOf } from "./parity-table.ts";

/**
 * Commands that do what no page does: they run the server or look after this machine's installation, tell of the program itself, or
 * are for authors of plugins.
 */
const withoutPage: readonly string[] = [
  ...["serve", "migrate", "migrate embedded-to-postgres", "admin create", "restore", "support-bundle"],
  ...["passwords build-filter", "user set-email", "user set-password"],
  ...["secrets new-key", "secrets rotate", "secrets status"],
  ...["snapshot create", "snapshot list", "snapshot restore"],
  ...["api", "completion", "man", "openapi", "schema"],
  ...["plugin dev", "plugin keygen", "plugin pack", "plugin sign", "plugin verify"],
];

const callForm =
  /\bapi\s*\.(get|post|put|patch|delete)\s*(?:<[^()]*?>)?\(\s*(`[^`]*`|"[^"]*"|[\w$]+(?:\([^()]*\))?)/g;
const clientForm = /\bclient\.(\w+)\.(\w+)\(/g;
const addressForm =
  /(?:const (\w+)(?::[^=]+)? = |const (\w+) = \([^)]*\)(?:: \w+)? =>\s*)(`[^`]*`|"\/api[^"]*")/g;

/**
 * The API calls in the pages' code, as `GET /api/admin/users/:x`: found by reading it, with the addresses that constants and
 * small functions of the same folder make up. Variable parts of a path read `:x`, queries are left out.
 */
const findPageCalls = async (folder: string): Promise<Set<string>> => {
  const texts = new Map<string, string>();
  for (const file of new Glob("**/*.{ts,tsx}").scanSync(folder))
    if (!file.includes(".test.")) texts.set(file, await Bun.file(`${folder}/${file}`).text());
  const found = new Set<string>();
  for (const [file, text] of texts) {
    // What a folder's files name, those below it may use.
    const above = [...texts].filter(
      ([other]) => dirname(other) === "." || file.startsWith(`${dirname(other)}/`),
    );
    const nearest = above.toSorted(([one], [other]) => one.split("/").length - other.split("/").length);
    const known = new Map([...nearest.flatMap(([, shared]) => addressesIn(shared)), ...addressesIn(text)]);
    for (const [, module, name] of text.matchAll(clientForm)) {
      const called = operations.find(({ id }) => id === `${module}.${name}`);
      if (called !== undefined) found.add(called.operation.endpoint.replace(/:\w+/g, ":x"));
    }
    for (const [, method = "", target = ""] of text.matchAll(callForm)) {
      const path = (resolved(target, known).split("?")[0] ?? "").replace(/(?<=:x):x$/, "");
      if (path.startsWith("/api/")) found.add(`${method.toUpperCase()} ${path}`);
    }
  }
  return found;
};

const addressesIn = (text: string): [string, string][] =>
  [...text.matchAll(addressForm)].map(([, constant, made, address = ""]) => [
    constant ?? made ?? "",
    address,
  ]);

/** The address that an expression stands for; what is not known of it is `:x`. */
const resolved = (expression: string, known: ReadonlyMap<string, string>, depth = 0): string => {
  if (depth > 5) return "";
  if (!/^[`"]/.test(expression)) {
    const name = expression.split("(")[0] ?? "";
    const address = known.get(name);
    return address === undefined ? ":x" : resolved(address, known, depth + 1);
  }
  return expression
    .slice(1, -1)
    .replace(/\$\{([^}]*)\}/g, (_, inner: string) => resolved(inner, known, depth + 1));
};

const commands = runnableCommands(unrunProgram());
const calls = parity.map(({ call }) => call);
const pageCalls = await findPageCalls("src/ui/features/admin");

/** Routes for administrators and for nobody else; the operator's own are commands from the beginning. */
const adminRoutes = Object.entries(coreMatrix)
  .filter(
    ([name, { statuses }]) => name.includes(" /api/") && statuses.user === 403 && statuses.admin !== 403,
  )
  // The `--plan` of every command that changes something.
  .flatMap(([name]) => (name === "POST /api/plan/:operation" ? [] : [name]));

/** Whether a call in a page's code, where `:x` stands for what is only known there, is a call of that route. */
const isPageCallOf = (call: string, route: string): boolean => {
  const [parts, wanted] = [call.split("/"), route.split("/")];
  return parts.length === wanted.length && parts.every((part, at) => isPart(part, wanted[at] ?? ""));
};

const isPart = (part: string, wanted: string): boolean => {
  if (wanted.startsWith(":")) return part === ":x";
  return part.endsWith(":x") ? part !== ":x" && wanted.startsWith(part.slice(0, -2)) : part === wanted;
};

/** The command that the words of a row begin with. */
const commandOf = (words: string): string =>
  [...commands.keys()]
    .filter((name) => `${words} `.startsWith(`${name} `))
    .sort((one, other) => other.length - one.length)[0] ?? "";

let world: Awaited<ReturnType<typeof createParityRun>>;
beforeAll(async () => {
  world = await createParityRun();
});
afterAll(() => world.close());

// The commands share a server, and some remove what others show.
const step = inOrder();

describe("what administrators do on pages, they can do in a terminal:", () => {
  for (const route of adminRoutes)
    test(`${route} has its command`, () => {
      expect(calls).toContain(route);
    });

  test("every call in the code of the admin area has its row", () => {
    expect(pageCalls.size).toBeGreaterThan(40);
    const others = Object.keys(coreMatrix).filter((route) => !adminRoutes.includes(route));
    const known = [...calls, ...others];
    expect([...pageCalls].filter((call) => !known.some((route) => isPageCallOf(call, route)))).toEqual([]);
  });

  // What the other commands about plugins are about goes last.
  const goes = ({ command }: ParityRow) => Number(command === "plugin remove");
  for (const row of parity.toSorted((one, other) => goes(one) - goes(other))) {
    test(`${row.action}: the route and the command exist`, () => {
      expect(Object.keys(coreMatrix)).toContain(row.call);
      if (row.command !== null) expect(commandOf(row.command)).not.toBe("");
    });
    if (row.why === undefined)
      step(`${row.action}: atrium ${row.command} makes that call`, async () => {
        const made = await world.callsOf(row);
        expect(made.filter((call) => isCallOf(call, row.call)).slice(0, 1), made.join("\n")).toHaveLength(1);
      });
  }

  test("every command stands in a row, or does what no page does", () => {
    const inRows = parity.flatMap(({ command }) => (command === null ? [] : [commandOf(command)]));
    expect([...new Set([...inRows, ...withoutPage])].toSorted()).toEqual([...commands.keys()].toSorted());
  });

  test("no action and no way of doing it stands there twice", () => {
    const ways = parity.map(({ call, command }) => `${call} ${command}`);
    const actions = parity.map(({ action }) => action);
    for (const all of [ways, actions]) expect(all.filter((one, at) => all.indexOf(one) !== at)).toEqual([]);
  });

  test("docs/cli-actions.md shows the table as it is", async () => {
    expect(await Bun.file("docs/cli-actions.md").text()).toContain(tableOf(parity));
  });
});

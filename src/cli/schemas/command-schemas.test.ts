import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { describeRoutes } from "#api/app.ts";
import { describedSchemas } from "#api/testing/described-schema.ts";
import { changingCommands, planless } from "#cli/testing/command-lines.ts";
import { runnableCommands, unrunProgram } from "#cli/testing/command-tree.ts";
import { type CommandWorld, createCommandWorld } from "#cli/testing/command-world.ts";
import { run } from "#cli/testing/run.ts";
import { commandSchemas, schemaless } from "./command-schemas.ts";
import { schemaOf } from "./schema-of.ts";

const commands = runnableCommands(unrunProgram());
const document = await describeRoutes({ version: "1.2.3", appUrl: "http://localhost:3000" })();
const { check } = describedSchemas(document, { isClosed: true });

let world: CommandWorld;
beforeAll(async () => {
  world = await createCommandWorld();
});
afterAll(() => world.close());

/** What stands against a command's output. */
const problemsOf = (name: string, out: string, hasPlan = false) =>
  check(Object(schemaOf(name, { document, hasPlan })))(JSON.parse(out));

const runReal = (name: string, words: string[]) =>
  run([...name.split(" "), ...words, "--json"], {
    answer: world.answer,
    composition: { packPlugin: async () => world.newest.bytes },
    input: "correct-horse-battery\n",
  });

test("each command has a schema, or prints no JSON", () => {
  const described = [...Object.keys(commandSchemas), ...schemaless];
  expect(described.toSorted()).toEqual([...commands.keys()].toSorted());
});

for (const name of Object.keys(commandSchemas))
  test(`atrium schema ${name} prints a schema that refers to nothing`, async () => {
    const { code, out } = await run(["schema", ...name.split(" ")], {
      composition: { describeApi: async () => document },
    });
    expect(code).toBe(0);
    expect(out).not.toMatch(/"\$(?:ref|answer|merged)"/);
  });

test("atrium schema refuses what is no command, or prints no JSON", async () => {
  const composition = { describeApi: async () => document };
  for (const words of [["nothing"], ["user"], ["serve"]])
    expect(await run(["schema", ...words], { composition })).toMatchObject({ code: 2, out: "" });
});

/** How commands that only read are typed, where that takes more than their name. */
const reads: Record<string, () => string[]> = {
  "activity show": () => ["1"],
  "contact show": () => [world.message],
  "mail show": () => [world.mail],
  "plugin info": () => [world.plugin],
  "plugin settings get": () => [world.plugin],
  "settings get": () => ["core.rateLimiting.maxRequests"],
  "settings show": () => ["1"],
  "user show": () => [world.user],
  "settings test": () => ["rate-limit"],
};

// They write files, follow something, or look at what only a real installation has; each has tests of its own.
const elsewhere =
  /export|download|keygen|pack|sign|verify|tail|logs|openapi|schema|doctor|status$|support-bundle|token show|^(?:serve|completion|man|plugin dev)$/;

describe("what a command really prints fits its schema:", () => {
  for (const name of planless.filter((command) => !elsewhere.test(command) || command === "mail status"))
    test(name, async () => {
      const { code, out, err } = await runReal(name, reads[name]?.() ?? []);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(problemsOf(name, out)).toEqual([]);
    });

  const changing = Object.entries(changingCommands).filter(
    ([name]) => !/^(?:backup|backup cancel|plugin update|secrets rotate|snapshot create)$/.test(name),
  );
  for (const [name, words] of changing)
    test(`${name}, its plan too`, async () => {
      const plan = await runReal(name, [...words(world), "--plan"]);
      if (plan.code === 0) expect(problemsOf(name, plan.out, true)).toEqual([]);
      const secret = name.endsWith(" create") && !name.startsWith("token") ? ["--password-stdin"] : [];
      const unique = words(world).map((word) =>
        word === "new@example.test" ? `${Bun.randomUUIDv7()}@example.test` : word,
      );
      const { code, out, err } = await runReal(name, [...unique, ...secret, "--yes"]);
      expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
      expect(problemsOf(name, out)).toEqual([]);
    });
});

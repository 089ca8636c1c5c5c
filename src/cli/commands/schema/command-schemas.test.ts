import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { describeRoutes } from "#api/app.ts";
import { loadFeatures } from "#api/load-features.ts";
import { inOrder } from "#api/testing/in-order.ts";
import { changingCommands, planless } from "#cli/testing/command-lines.ts";
import { isOwnCommand, runnableCommands, unrunProgram } from "#cli/testing/command-tree.ts";
import { type CommandWorld, createCommandWorld } from "#cli/testing/command-world.ts";
import { fitsSchema } from "#cli/testing/fits-schema.ts";
import { notesCommands } from "#cli/testing/notes-commands.ts";
import { ok, plugin } from "#cli/testing/plugins.ts";
import { run } from "#cli/testing/run.ts";
import { completeCommands } from "#contract/plugin-commands.ts";
import { commandSchemas, schemaless } from "./command-schemas.ts";

const commands = runnableCommands(unrunProgram());
const document = await describeRoutes({
  version: "1.2.3",
  appUrl: "http://localhost:3000",
  features: await loadFeatures(),
})();

let world: CommandWorld;
beforeAll(async () => {
  world = await createCommandWorld();
});
afterAll(() => world.close());

/** Runs a command in the world; `data` is what the API returned last. */
const runReal = async (name: string, words: string[]) => {
  let data: unknown;
  const outcome = await run([...name.split(" "), ...words, "--json"], {
    answer: async (request) => {
      const response = await world.answer(request);
      const body = await response.clone().json();
      data = body.data ?? body;
      return response;
    },
    composition: { packPlugin: async () => world.newest.bytes },
    input: "correct-horse-battery\n",
  });
  return { ...outcome, data };
};

test("each command has a schema, or prints no JSON", () => {
  const described = [...Object.keys(commandSchemas), ...schemaless].filter((words) => !isOwnCommand(words));
  expect(described.toSorted()).toEqual([...commands.keys()].toSorted());
});

for (const name of Object.keys(commandSchemas))
  test(`atrium schema ${name} prints a schema that refers to nothing`, async () => {
    const { code, out } = await run(["schema", ...name.split(" ")], {
      composition: { describeApi: async () => document },
    });
    expect(code).toBe(0);
    await fitsSchema("schema", out);
    expect(out).not.toMatch(/"\$(?:ref|answer|merged)"/);
  });

test("atrium schema prints what an enabled plugin says of its command's answers", async () => {
  const commands = completeCommands(
    { word: "notes", summary: "Notes of visitors", list: notesCommands },
    "visitor-notes",
  );
  const row = { ...plugin, name: "visitor-notes", commandWord: "notes", commands };
  const schema = { type: "object", properties: { data: { type: "object", required: ["text"] } } };
  const paths = {
    "/api/visitor-notes/notes/{id}": {
      get: { responses: { 200: { content: { "application/json": { schema } } } } },
      delete: { responses: { 204: { description: "Gone" } } },
    },
  };
  const answer = ({ url }: Request) => {
    if (url.endsWith("/swagger/json")) return Response.json({ openapi: "3.1.0", paths });
    return url.endsWith("/api/plugins") ? ok([row]) : ok(row);
  };
  const { out } = await run(["schema", "notes", "show"], { answer });
  expect(JSON.parse(out)).toMatchObject({ title: "atrium notes show --json", required: ["text"] });
  const removed = await run(["schema", "notes", "drop"], { answer });
  expect(JSON.parse(removed.out)).toMatchObject({ anyOf: [{}, { required: ["plan", "calls"] }] });
  expect((await run(["schema", "notes", "nothing"], { answer })).code).toBe(2);
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
  "provider show": () => [world.provider],
  "provider test": () => [world.provider],
  "settings get": () => ["core.rateLimiting.maxRequests"],
  "settings show": () => ["1"],
  "user show": () => [world.user],
  "user factors": () => [world.user],
  "settings test": () => ["rate-limit"],
  "token show": () => ["ci"],
};

// They write files, follow something, or look at what only a real installation has: their own tests ask `fitsSchema`.
const elsewhere: readonly string[] = [
  ...["activity export", "activity tail", "activity verify", "contact export"],
  ...["backup", "backup cancel", "backup download", "restore", "snapshot create", "snapshot restore"],
  ...["doctor", "migrate", "migrate embedded-to-postgres", "openapi", "schema", "status", "support-bundle"],
  ...["plugin create", "plugin download", "plugin keygen", "plugin logs", "plugin pack", "plugin sign"],
  ...[
    "passwords build-filter",
    "plugin replace-publisher",
    "plugin update",
    "plugin verify",
    "secrets rotate",
  ],
];
const isHere = (name: string) => !elsewhere.includes(name) && !schemaless.includes(name);

test("what each command prints is held against its schema, here or in its own tests", async () => {
  const here = [...planless, ...Object.keys(changingCommands)].filter(isHere);
  expect([...here, ...elsewhere].toSorted()).toEqual(
    Object.keys(commandSchemas)
      .filter((words) => !isOwnCommand(words))
      .toSorted(),
  );
  const files = new Bun.Glob("**/*.test.ts").scan({ cwd: `${import.meta.dir}/../..`, absolute: true });
  const texts = await Array.fromAsync(files, (file) => Bun.file(file).text());
  const checked = texts.flatMap((text) =>
    [...text.matchAll(/\bfitsSchema\("([^"]+)"/g)].map(([, name]) => name),
  );
  expect(elsewhere.filter((name) => !checked.includes(name))).toEqual([]);
});

// They print a part of what the API returned, put several responses together, or tell what this machine knows.
const reshaped: readonly string[] = [
  ...["activity cleanup", "backup remove", "backup schedule", "plugin disable", "plugin keys list"],
  "provider list",
  ...["plugin settings get", "secrets new-key", "settings get", "settings set", "settings show"],
  ...["snapshot list", "token list", "token remove", "token show"],
];

// They share a server, and some remove what others show.
const step = inOrder();

describe("what a command really prints fits its schema and is exactly the API's data, unless it is reshaped:", () => {
  for (const name of planless.filter(isHere))
    step(name, async () => {
      const { code, out, err, data } = await runReal(name, reads[name]?.() ?? []);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      const printed = await fitsSchema(name, out);
      if (!reshaped.includes(name)) expect(printed).toEqual(data);
    });

  for (const [name, words] of Object.entries(changingCommands).filter(([name]) => isHere(name)))
    step(`${name}, its plan too`, async () => {
      const plan = await runReal(name, [...words(world), "--plan"]);
      if (plan.code === 0) await fitsSchema(name, plan.out);
      const secret = name.endsWith(" create") && !name.startsWith("token") ? ["--password-stdin"] : [];
      const unique = words(world).map((word) =>
        word === "new@example.test" ? `${Bun.randomUUIDv7()}@example.test` : word,
      );
      const { code, out, err, data } = await runReal(name, [...unique, ...secret, "--yes"]);
      expect({ code, err: code === 0 ? "" : err }).toEqual({ code: 0, err: "" });
      const printed = await fitsSchema(name, out);
      expect(Object.keys(printed)).not.toContain("plan");
      if (!reshaped.includes(name)) expect(printed).toEqual(data);
    });
});

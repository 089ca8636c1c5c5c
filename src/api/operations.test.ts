import { describe, expect, test } from "bun:test";
import { Elysia } from "elysia";
import type { Implemented } from "#api/core/implement.ts";
import { createDoor } from "#api/door/door.ts";
import { mountOperations } from "#api/http/mount-operations.ts";
import { createClient, placeInput } from "#contract/create-client.ts";
import { operation } from "#contract/operation.ts";
import { projectRoot } from "../../scripts/project-root.ts";
import { operationTable } from "../../scripts/write-operations.ts";
import type { Client } from "./operations.ts";
import { commandWords, operations } from "./operations.ts";

describe("what is written from the contracts", () => {
  for (const [path, text] of Object.entries(operationTable()))
    test(`${path} is as \`bun scripts/write-operations.ts\` writes it`, async () => {
      expect(await Bun.file(`${projectRoot}/${path}`).text()).toBe(text);
    });

  test("no two operations have one request, and no two commands one name", () => {
    const endpoints = operations.map(({ operation: { endpoint } }) => endpoint.replace(/:\w+/g, ":x"));
    const commands = operations.flatMap(({ module, operation: { commands = [] } }) =>
      commands.map((command) => commandWords(module, command)),
    );
    for (const all of [endpoints, commands]) expect(new Set(all).size).toBe(all.length);
  });
});

describe("the typed client", () => {
  const sent: unknown[] = [];
  const client = createClient(async (id, input) => {
    sent.push(placeInput(id, input));
    return { success: true, message: "" };
  });

  test("puts each part of the input where the operation has it", async () => {
    await client.contact.update({ id: "a/b", handled: false });
    await client.contact.list({ search: "a b", status: undefined });
    const message = { name: "Ada", email: "ada@example.test", subject: "Sales", message: "Hello" } as const;
    await client.contact.send({ ...message, "idempotency-key": "a-key-of-mine" });
    await client.mail.test({});
    await client.users.get({ user: "ada+1@example.test" });
    expect(sent).toMatchObject([
      { method: "PUT", target: "/api/admin/contact/a%2Fb", body: { handled: false }, headers: {} },
      { method: "GET", target: "/api/admin/contact?search=a+b", body: undefined },
      {
        method: "POST",
        target: "/api/contact",
        body: message,
        headers: { "idempotency-key": "a-key-of-mine" },
      },
      { method: "POST", target: "/api/auth/settings/test-mail", body: {} },
      { method: "GET", target: "/api/admin/users/ada+1@example.test" },
    ]);
  });

  test("does not compile with what an operation does not take or answer", () => {
    expect(wrongUses).toHaveLength(5);
  });
});

// The compiler is what these are for: `bun run check` fails when a line that has to be wrong is not.
const wrongUses: ((client: Client) => unknown)[] = [
  // @ts-expect-error there is no such choice
  (client) => client.contact.list({ status: "closed" }),
  // @ts-expect-error it needs an id
  (client) => client.contact.get({}),
  // @ts-expect-error it takes no such field
  (client) => client.contact.update({ id: "a", handled: true, more: 1 }),
  // @ts-expect-error a message has no such field
  async (client) => (await client.contact.get({ id: "a" })).data.nothing,
  // @ts-expect-error there is no such operation
  (client) => client.contact.forget({ id: "a" }),
];

describe("mounting refuses", () => {
  const facts = {
    access: "public",
    proof: "none",
    responds: "message",
    tag: "Test",
    errors: [],
    summary: "Test",
    description: "Test",
  } as const;
  const mounting = (tried: Implemented["operation"]) => () =>
    new Elysia().use(
      mountOperations(createDoor(), [{ id: "test.it", operation: tried, run: async () => ({}) }]),
    );

  test("a name that its input would have twice", () => {
    const twice = operation("POST /api/test/:id", {
      ...facts,
      schemas: (kit) => ({ params: kit.object({ id: kit.id("") }), body: kit.exact({ id: kit.text() }) }),
    });
    expect(mounting(twice)).toThrow("test.it takes id in two places");
  });
});

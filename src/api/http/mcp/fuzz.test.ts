import { expect, test } from "bun:test";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { contentsOf, withoutLog } from "#api/testing/contents.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { insideLeak } from "#api/testing/inside-leak.ts";
import { rawMcp } from "#api/testing/mcp-message.ts";
import { createRandom, type Random, testSeed } from "#api/testing/random.ts";
import { sized } from "#api/testing/size.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { mcpPath } from "#contract/mcp.ts";
import { rpcCodes } from "./call-tool.ts";
import { tools } from "./toolbox.ts";

const messages = sized(300, 20_000);

const host = await hostForFile({ hasher: createCheapHasher() });
const client = await newTokenClient(host, {
  scopes: ["plugins:read", "activity:read", "users:read", "settings:read"],
});

const canary = "canary-of-a-token";
const atoms = [
  null,
  true,
  0,
  -1,
  1e300,
  "",
  "..",
  "__proto__",
  "constructor",
  "\u202e",
  canary,
  "x".repeat(5_000),
] as const;
const keys = [
  "jsonrpc",
  "id",
  "method",
  "params",
  "name",
  "arguments",
  "_meta",
  "uri",
  "limit",
  "__proto__",
] as const;

const wildValue = (random: Random, depth: number): unknown => {
  if (depth === 0 || random.once(2)) return random.pick(atoms);
  const count = random.below(4);
  if (random.once(2)) return Array.from({ length: count }, () => wildValue(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: count }, () => [random.pick(keys), wildValue(random, depth - 1)]),
  );
};

const methods = [
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "resources/read",
  "server/discover",
  "x",
] as const;

/** A message with something wrong in it, as often as not deep inside. */
const wildMessage = (random: Random): unknown => {
  if (random.once(4)) return wildValue(random, 4);
  const tool = tools[random.below(tools.length)]?.name;
  const params: Record<string, unknown> = {
    name: random.once(3) ? wildValue(random, 1) : tool,
    uri: wildValue(random, 1),
  };
  params.arguments = random.once(3)
    ? wildValue(random, 2)
    : { name: wildValue(random, 1), limit: wildValue(random, 1) };
  if (random.once(4)) params._meta = wildValue(random, 2);
  const message: Record<string, unknown> = { jsonrpc: "2.0", id: 1, method: random.pick(methods), params };
  if (random.once(4)) message[random.pick(keys)] = wildValue(random, 2);
  return message;
};

const codes: ReadonlySet<number> = new Set(Object.values(rpcCodes));

test("H2: whatever a message is, its answer is one of the protocol, no fault of the server, and changes nothing", async () => {
  const seed = testSeed();
  const random = createRandom(seed);
  await rawMcp(client, { jsonrpc: "2.0", id: 1, method: "ping" });
  const before = withoutLog(await contentsOf(host.db));
  for (let turn = 0; turn < messages; turn += 1) {
    const body = wildMessage(random);
    const { status, json, text } = await rawMcp(client, body);
    const where = `TEST_SEED=${seed} ${JSON.stringify(body)?.slice(0, 500)} → ${status} ${text.slice(0, 500)}`;
    if (![200, 202, 400, 404].includes(status) || insideLeak(text) !== null || /\.tsx?\b/.test(text))
      throw new Error(where);
    if (status === 202) continue;
    const { code } = json.error ?? { code: 0 };
    if (json.result === undefined && !codes.has(code)) throw new Error(where);
    if (text.includes(client.made.token)) throw new Error(where);
  }
  expect(withoutLog(await contentsOf(host.db))).toEqual(before);
});

test("H2: bytes that are no message are told so", async () => {
  const random = createRandom(testSeed());
  const headers = { authorization: `Bearer ${client.made.token}`, "content-type": "application/json" };
  for (let turn = 0; turn < 100; turn += 1) {
    const bytes = Uint8Array.from({ length: 1 + random.below(200) }, () => random.below(256));
    const answer = await host.request(mcpPath, { method: "POST", headers, body: bytes });
    expect([answer.status, (await answer.json()).jsonrpc]).toEqual([400, "2.0"]);
  }
});

import { afterAll, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { packPlugin } from "#api/testing/plugin-package.ts";
import { serveHost } from "#api/testing/served-host.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { mcpPath } from "#contract/mcp.ts";
import { packageField } from "./toolbox.ts";

const guide = await Bun.file(new URL("../../../../docs/mcp.md", import.meta.url)).text();
const [, section = ""] = guide.split("\n## A worked session\n");
/** What the guide shows of the exchange: each call, then what it answered, shortened. */
const blocks = [...section.matchAll(/```json\n([\s\S]*?)\n```/g)].map(([, json = ""]) => JSON.parse(json));

const host = await hostForFile({ hasher: createCheapHasher() });
const served = serveHost(host, {});
afterAll(async () => {
  await served.stop();
});

const consent = async (plugin: string) => {
  const admin = await host.signedIn("admin");
  const { status } = await admin.call("POST", `/api/plugins/${plugin}/toggle`, {
    enabled: true,
    consent: true,
  });
  expect(status).toBe(200);
};

test("the session in docs/mcp.md goes as it is written there, over the network, by the protocol's official client", async () => {
  const scopes = ["plugins:write", "activity:read"] as const;
  const { made } = await newTokenClient(host, { name: "assistant", scopes: [...scopes] });
  const transport = new StreamableHTTPClientTransport(new URL(mcpPath, served.url), {
    requestInit: { headers: { authorization: `Bearer ${made.token}` } },
  });
  const client = new Client(
    { name: "assistant", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  await client.connect(transport);
  const { tools } = await client.listTools();
  for (const { name } of blocks.filter((_, at) => at % 2 === 0))
    expect(tools.map((tool) => tool.name)).toContain(name);

  const bytes = await packPlugin({
    manifest: { permissions: [{ name: "storage.kv" }, { name: "activity.write" }] },
  });
  const known: Record<string, string> = { "UEsDB…": Buffer.from(bytes).toString("base64") };
  const exchange: { asked: unknown; answered: unknown }[] = [];
  for (let at = 0; at < blocks.length; at += 2) {
    const { name, arguments: given } = blocks[at];
    if (packageField in given) given[packageField] = known[given[packageField]];
    const { structuredContent, content } = await client.callTool({ name, arguments: given });
    const [first] = content;
    const answered = structuredContent ?? (first?.type === "text" ? JSON.parse(first.text) : null);
    exchange.push({ asked: blocks[at], answered });
    expect(answered).toMatchObject(blocks[at + 1]);
    // What the guide leaves to its reader.
    if (name === "enable_plugin") await consent(given.name);
  }
  expect(exchange).toHaveLength(4);
  await client.close();
});

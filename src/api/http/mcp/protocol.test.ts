import { describe, expect, test } from "bun:test";
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from "@modelcontextprotocol/client";
import { createCheapHasher } from "#api/testing/cheap-hasher.ts";
import { hostForFile } from "#api/testing/for-file.ts";
import { createTestHost, type TestHost, testOrigin } from "#api/testing/host.ts";
import { rawMcp, sendMcp } from "#api/testing/mcp-message.ts";
import { newTokenClient } from "#api/testing/token-client.ts";
import { limits } from "#contract/limits.ts";
import { mcpPath, mcpRevisions, statelessRevision } from "#contract/mcp.ts";

/** What goes over the wire: the official client on one side, the application on the other. */
type Exchange = { request: Request; response: Response };

type McpClientOptions = {
  token: string;
  /** Which revisions it speaks: with a handshake unless told otherwise. */
  mode?: NonNullable<VersionNegotiationOptions["mode"]>;
  /** Sees each request with its answer. */
  watch?: (exchange: Exchange) => void;
};

/** The protocol's official client, connected to a host with an API token. */
const connectMcp = async (
  host: TestHost,
  { token, mode = "legacy", watch }: McpClientOptions,
): Promise<Client> => {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(mcpPath, testOrigin), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const sent = request.clone();
      const response = await host.request(new URL(request.url).pathname, init);
      watch?.({ request: sent, response: response.clone() });
      return response;
    },
  });
  await client.connect(transport);
  return client;
};

const llms = `# Atrium\n\n- [Quick start](${testOrigin}/docs/quick-start): First steps.\n- [Elsewhere](https://elsewhere.example/docs/x)\n- [Secrets](${testOrigin}/docs/../api/admin)\n`;

const host = await hostForFile({
  hasher: createCheapHasher(),
  corsOrigins: ["https://listed.example"],
  pages: {
    respond: ({ path }) =>
      path === "/llms.txt"
        ? new Response(llms, { headers: { "content-type": "text/plain; charset=utf-8" } })
        : new Response(`<nav>menu</nav><main>page at ${path}</main><footer></footer>`),
  },
});
const client = await newTokenClient(host);

const stateless = (method: string, headers: Record<string, string> = {}) => ({
  params: {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": statelessRevision,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
  headers: { "mcp-protocol-version": statelessRevision, "mcp-method": method, ...headers },
});

describe("the protocol's official client", () => {
  test.each([["legacy"], ["auto"], [{ pin: statelessRevision }]] as const)(
    "is served with %p",
    async (mode) => {
      const connected = await connectMcp(host, { token: client.made.token, mode });
      expect(connected.getServerVersion()).toMatchObject({ name: "atrium" });
      expect((await connected.listTools()).tools.length).toBeGreaterThan(20);
      const { structuredContent, isError } = await connected.callTool({ name: "system_info", arguments: {} });
      expect([isError ?? false, structuredContent]).toMatchObject([false, { success: true }]);
      await connected.close();
    },
  );

  test("reads the index and the documentation, without its frame, and nothing else", async () => {
    const connected = await connectMcp(host, { token: client.made.token });
    const { resources } = await connected.listResources();
    expect(resources.map(({ uri }) => uri.slice(testOrigin.length))).toEqual([
      "/llms.txt",
      "/docs/quick-start",
    ]);
    const { contents } = await connected.readResource({ uri: `${testOrigin}/docs/quick-start` });
    expect(contents).toMatchObject([{ text: "<main>page at /docs/quick-start</main>" }]);
    for (const uri of ["/docs/../api/admin", "/api/admin", "/"])
      await expect(connected.readResource({ uri: testOrigin + uri })).rejects.toThrow(
        "This resource doesn't exist",
      );
    await connected.close();
  });
});

describe("Z2: who may come in", () => {
  test("while it is off, the path does not exist", async () => {
    const off = await createTestHost({ hasher: createCheapHasher(), mcpEnabled: false });
    const holder = await newTokenClient(off);
    for (const method of ["POST", "GET", "DELETE"]) {
      const answer = await holder.call(method, mcpPath, method === "POST" ? {} : undefined);
      expect([method, answer.status]).toEqual([method, 404]);
    }
    await off.close();
  });

  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const post = (headers: Record<string, string>, body: unknown = ping) =>
    host.request(mcpPath, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  test("without a token, with a wrong or a revoked one, the answer says what is wanted", async () => {
    const gone = await newTokenClient(host);
    expect((await sendMcp(gone, "ping")).status).toBe(200);
    expect((await client.call("POST", `/api/admin/tokens/${gone.made.id}/revoke`, {})).status).toBe(200);
    const wrong = [
      [{}, "Bearer"],
      [{ authorization: "Bearer something-else" }, "Bearer"],
      [{ authorization: `Bearer ${client.made.token.slice(0, -1)}` }, 'Bearer error="invalid_token"'],
      [{ authorization: `Bearer ${gone.made.token}` }, 'Bearer error="invalid_token"'],
    ] as const;
    for (const [headers, challenge] of wrong) {
      const answer = await post(headers);
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, challenge]);
    }
  });

  test("no session opens it, an admin's neither, and beside a token none counts", async () => {
    const admin = await host.signedIn("admin");
    const answer = await admin.call("POST", mcpPath, ping);
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect((await (await host.signedIn("user")).call("POST", mcpPath, ping)).status).toBe(403);
  });

  test("a page of another site is refused whatever it knows, one of a listed origin is not", async () => {
    const authorization = `Bearer ${client.made.token}`;
    for (const origin of ["https://elsewhere.example", "null", "http://localhost.elsewhere.example"])
      expect((await post({ authorization, origin })).status).toBe(403);
    expect((await post({ authorization, "sec-fetch-site": "cross-site" })).status).toBe(403);
    for (const origin of [testOrigin, "https://listed.example"])
      expect((await post({ authorization, origin })).status).toBe(200);
  });

  test("a host name that someone else points to this address gets no answer", async () => {
    expect(
      (await post({ authorization: `Bearer ${client.made.token}`, host: "rebound.example" })).status,
    ).toBe(421);
  });

  test("a token's own limit counts messages", async () => {
    const slow = await newTokenClient(host, { callsPerMinute: 2 });
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await sendMcp(slow, "ping")).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe("messages", () => {
  test.each([["2025-11-25"], ["2025-06-18"]])("a handshake agrees on %s", async (protocolVersion) => {
    const { json } = await sendMcp(client, "initialize", { protocolVersion });
    expect(json.result).toMatchObject({ protocolVersion, capabilities: { tools: {}, resources: {} } });
  });

  test("a handshake with a revision that is not spoken offers one that is", async () => {
    for (const protocolVersion of ["2024-11-05", "3000-01-01", statelessRevision, 7, undefined]) {
      const { json } = await sendMcp(client, "initialize", { protocolVersion });
      expect(json.result?.protocolVersion).toBe("2025-11-25");
    }
  });

  test("a header with a revision that is not spoken is refused with those that are", async () => {
    const { status, json } = await sendMcp(client, "ping", {}, { "mcp-protocol-version": "2024-11-05" });
    expect([status, json.error]).toMatchObject([400, { code: -32022, data: { supported: mcpRevisions } }]);
  });

  test("notifications are taken and not answered, also those of requests given up", async () => {
    for (const method of [
      "notifications/initialized",
      "notifications/cancelled",
      "notifications/unheard-of",
    ]) {
      const { status, text } = await rawMcp(client, { jsonrpc: "2.0", method, params: { requestId: 1 } });
      expect([status, text]).toEqual([202, ""]);
    }
  });

  const malformed: [string, unknown, number][] = [
    ["several in one", [{ jsonrpc: "2.0", id: 1, method: "ping" }], -32600],
    ["none in one", [], -32600],
    ["a text", "ping", -32600],
    ["nothing", null, -32600],
    ["another version", { jsonrpc: "1.0", id: 1, method: "ping" }, -32600],
    ["no method", { jsonrpc: "2.0", id: 1 }, -32600],
    ["a method that is none", { jsonrpc: "2.0", id: 1, method: 7 }, -32600],
    ["an id that is none", { jsonrpc: "2.0", id: null, method: "ping" }, -32600],
    ["an id in pieces", { jsonrpc: "2.0", id: 1.5, method: "ping" }, -32600],
    ["parameters in a list", { jsonrpc: "2.0", id: 1, method: "ping", params: [] }, -32600],
    ["half a character", { jsonrpc: "2.0", id: 1, method: "\ud800" }, -32600],
    ["an answer to nothing", { jsonrpc: "2.0", id: 1, result: {} }, -32600],
  ];
  test.each(malformed)("refused as no message: %s", async (_title, body, code) => {
    const { status, json } = await rawMcp(client, body);
    expect([status, json.error?.code]).toEqual([400, code]);
  });

  test("what is no JSON is told so; what is too long, or of another type, does not get that far", async () => {
    const headers = { authorization: `Bearer ${client.made.token}`, "content-type": "application/json" };
    const answer = await host.request(mcpPath, { method: "POST", headers, body: '{"jsonrpc":' });
    expect([answer.status, await answer.json()]).toMatchObject([400, { id: null, error: { code: -32700 } }]);
    const filler = "x".repeat(limits.jsonBodyBytes);
    expect((await host.request(mcpPath, { method: "POST", headers, body: `"${filler}"` })).status).toBe(413);
    const plain = { ...headers, "content-type": "text/plain" };
    expect((await host.request(mcpPath, { method: "POST", headers: plain, body: "{}" })).status).toBe(415);
  });

  test("nothing is sent that was not asked for: there is no stream to open, and no session to end", async () => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await client.call(method, mcpPath);
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
    }
    expect((await sendMcp(client, "initialize")).headers.get("mcp-session-id")).toBeNull();
  });

  test("what there is not is named: methods, tools, resources, pages", async () => {
    const codeOf = async (method: string, params = {}) =>
      (await sendMcp(client, method, params)).json.error?.code;
    expect(await codeOf("prompts/list")).toBe(-32601);
    expect(await codeOf("constructor")).toBe(-32601);
    expect(await codeOf("server/discover")).toBe(-32601);
    expect(await codeOf("tools/call", { name: "no_such_tool" })).toBe(-32602);
    expect(await codeOf("tools/call", {})).toBe(-32602);
    expect(await codeOf("tools/call", { name: "list_users", arguments: [] })).toBe(-32602);
    expect(await codeOf("tools/list", { cursor: "2" })).toBe(-32602);
    expect(await codeOf("resources/read", { uri: "file:///etc/passwd" })).toBe(-32002);
  });
});

describe("the revision without a handshake", () => {
  test("each response says what it is", async () => {
    const { params, headers } = stateless("server/discover");
    const { json } = await sendMcp(client, "server/discover", params, headers);
    expect(json.result).toMatchObject({
      resultType: "complete",
      supportedVersions: mcpRevisions,
      ttlMs: 60_000,
    });
  });

  test.each([
    ["no revision", { "mcp-protocol-version": "" }],
    ["another revision", { "mcp-protocol-version": "2025-11-25" }],
    ["another method", { "mcp-method": "tools/call" }],
  ])("headers that say something else than the message are refused: %s", async (_title, wrong) => {
    const { params, headers } = stateless("tools/list", wrong);
    const { status, json } = await sendMcp(client, "tools/list", params, headers);
    expect([status, json.error?.code]).toEqual([400, -32020]);
  });

  test("the name of a tool is in its header, encoded where necessary", async () => {
    const call = async (named: string) => {
      const { params, headers } = stateless("tools/call", { "mcp-name": named });
      const given = { ...params, name: "system_info" };
      return (await sendMcp(client, "tools/call", given, headers)).status;
    };
    expect(await call("system_info")).toBe(200);
    expect(await call(`=?base64?${btoa("system_info")}?=`)).toBe(200);
    expect(await call("list_plugins")).toBe(400);
  });

  test("a revision that is to come is refused with those that are spoken", async () => {
    const { headers } = stateless("tools/list", { "mcp-protocol-version": "3000-01-01" });
    const params = { _meta: { "io.modelcontextprotocol/protocolVersion": "3000-01-01" } };
    const { status, json } = await sendMcp(client, "tools/list", params, headers);
    expect([status, json.error?.code]).toEqual([400, -32022]);
  });

  test("methods that it has not are not found", async () => {
    const { params, headers } = stateless("ping");
    const { status, json } = await sendMcp(client, "ping", params, headers);
    expect([status, json.error?.code]).toEqual([404, -32601]);
  });
});

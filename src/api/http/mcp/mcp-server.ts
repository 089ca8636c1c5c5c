import type { AppError } from "#api/core/app-error.ts";
import { describeError } from "#api/core/describe-error.ts";
import type { TracedRequest } from "#api/door/door.ts";
import { errorTexts } from "#contract/errors.ts";
import { mcpRevisions, mcpTexts } from "#contract/mcp.ts";
import type { ReadDocument } from "../document/api-document.ts";
import type { PageServer } from "../pages/open-page.ts";
import type { RouteTable } from "../route-table.ts";
import {
  agreedRevision,
  createCallTool,
  createResources,
  type Era,
  eraOf,
  idIn,
  isFields,
  type RpcBody,
  RpcError,
  type RpcFields,
  type RpcMessage,
  readMessage,
} from "./call-tool.ts";
import { createToolbox, mayUse, type Toolbox } from "./toolbox.ts";

export type McpOptions = {
  version: string;
  /** What the site is called at the moment. */
  siteName: () => string;
  appUrl: string;
  pages: PageServer;
  readDocument: ReadDocument;
  routes: () => RouteTable;
  answer: (request: Request) => Response | Promise<Response>;
  writeObstacle: () => AppError | null;
};

/** Answers one message; `body` is `null` where none is wanted. */
export type ServeMcp = (incoming: TracedRequest, headers: Headers) => Promise<RpcAnswer>;

type RpcAnswer = { status: number; body: RpcFields | null };

type Call = { incoming: TracedRequest; message: RpcMessage; era: Era };

/** Answers a method's request with its result. */
type Method = (call: Call) => RpcFields | Promise<RpcFields>;

// How long clients may continue with a list without asking again: what a token may do is fixed, but it can be revoked.
const cacheHints = { ttlMs: 60_000, cacheScope: "private" } as const;
const capabilities = { tools: {}, resources: {} } as const;

/**
 * The server of the Model Context Protocol: nothing is remembered between two messages, so that any replica can answer, and
 * nothing is sent that was not asked for. Protocol and its revisions: https://modelcontextprotocol.io/specification
 */
export const createMcpServer = (options: McpOptions): ServeMcp => {
  const { version, siteName, appUrl, pages, readDocument, answer, writeObstacle } = options;
  const serverInfo = () => ({ name: "atrium", title: siteName(), version });
  const resources = createResources(pages, appUrl);
  let made: Promise<Toolbox> | null = null;
  const toolbox = (): Promise<Toolbox> => {
    made ??= createToolbox(readDocument, options.routes());
    return made;
  };

  const callTool: Method = async ({ incoming, message: { params } }) => {
    const { name, arguments: given = {} } = params;
    if (typeof name !== "string") throw new RpcError("params", mcpTexts.toolMissing);
    const tools = await toolbox();
    const tool = tools.get(name);
    if (tool === undefined) throw new RpcError("params", mcpTexts.unknownTool);
    if (!isFields(given)) throw new RpcError("params", mcpTexts.badArguments);
    const call = createCallTool({ routes: options.routes(), tools, answer, writeObstacle });
    const { body, isError } = await call(incoming, tool, given);
    const content = [{ type: "text", text: JSON.stringify(body) }];
    return isError ? { content, isError } : { content, structuredContent: body };
  };

  const listTools: Method = async ({ incoming, message }) => {
    refuseCursor(message);
    const { actor } = incoming.ctx;
    const scopes = actor.kind === "token" ? actor.token.scopes : [];
    const usable = [...(await toolbox()).values()].filter((tool) => mayUse(scopes, tool));
    return { tools: usable.map(({ told }) => told), ...cacheHints };
  };

  const listResources: Method = async ({ message }) => {
    refuseCursor(message);
    return { resources: await resources.list(), ...cacheHints };
  };

  const readResource: Method = async ({ message: { params }, era }) => {
    const content = await resources.read(params.uri, era === "handshake" ? "noResource" : "params");
    return { contents: [content], ...cacheHints };
  };

  const common: { readonly [method: string]: Method } = {
    "tools/list": listTools,
    "tools/call": callTool,
    "resources/list": listResources,
    "resources/read": readResource,
    "resources/templates/list": () => ({ resourceTemplates: [], ...cacheHints }),
  };
  const methods: { readonly [era in Era]: ReadonlyMap<string, Method> } = {
    handshake: new Map<string, Method>([
      ...Object.entries(common),
      [
        "initialize",
        ({ message: { params } }) => ({
          protocolVersion: agreedRevision(params.protocolVersion),
          ...{ capabilities, serverInfo: serverInfo(), instructions: mcpTexts.instructions },
        }),
      ],
      ["ping", () => ({})],
    ]),
    stateless: new Map<string, Method>([
      ...Object.entries(common),
      [
        "server/discover",
        () => ({
          supportedVersions: mcpRevisions,
          ...{ capabilities, instructions: mcpTexts.instructions, ...cacheHints },
        }),
      ],
    ]),
  };

  const resultOf = async (call: Call): Promise<RpcFields> => {
    const { message, era } = call;
    const method = methods[era].get(message.method);
    // Source of the status: MCP 2026-07-28, Streamable HTTP, "Protocol Version Header".
    if (method === undefined)
      throw new RpcError("method", mcpTexts.unknownMethod, { status: era === "stateless" ? 404 : 200 });
    const result = await method(call);
    if (era === "handshake") return result;
    return {
      resultType: "complete",
      ...result,
      _meta: { "io.modelcontextprotocol/serverInfo": serverInfo() },
    };
  };

  return async (incoming, headers) => {
    const body = asRpcBody(incoming.body);
    try {
      const message = readMessage(body);
      const era = eraOf(message, headers);
      // That someone gave up, or is ready, changes nothing here: each request ends with its answer.
      if (message.id === null) return { status: 202, body: null };
      const result = await resultOf({ incoming, message, era });
      return { status: 200, body: { jsonrpc: "2.0", id: message.id, result } };
    } catch (error) {
      return failureOf(error, idIn(body), incoming);
    }
  };
};

const failureOf = (error: unknown, id: string | number | null, { ctx, trace }: TracedRequest): RpcAnswer => {
  if (error instanceof RpcError) {
    const { code, message, status, data } = error;
    return {
      status,
      body: { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } },
    };
  }
  trace.failure = "INTERNAL";
  ctx.log.error("unexpected error", { requestId: ctx.requestId, error: describeError(error) });
  const fault = new RpcError("internal", errorTexts.INTERNAL);
  return { status: 500, body: { jsonrpc: "2.0", id, error: { code: fault.code, message: fault.message } } };
};

const refuseCursor = ({ params }: RpcMessage): void => {
  if (params.cursor !== undefined) throw new RpcError("params", mcpTexts.badCursor);
};

/** What the pipeline reads of a body for this route alone. */
const asRpcBody = (body: unknown): RpcBody => body as RpcBody;

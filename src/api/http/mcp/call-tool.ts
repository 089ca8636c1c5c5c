import { AppError, validationError } from "#api/core/app-error.ts";
import { admit, type TracedRequest } from "#api/door/door.ts";
import { tokenTexts } from "#contract/api-tokens.ts";
import { pathPart } from "#contract/create-client.ts";
import { fieldTexts } from "#contract/errors.ts";
import { limits } from "#contract/limits.ts";
import { handshakeRevisions, mcpRevisions, mcpTexts, statelessRevision } from "#contract/mcp.ts";
import { checkQuery } from "../body.ts";
import { failureOf, toAppError } from "../errors.ts";
import type { PageServer } from "../pages/open-page.ts";
import type { RouteTable } from "../route-table.ts";
import { isCanonicalPath } from "../target.ts";
import { mayUse, packageField, type ReadyTool, type Toolbox } from "./toolbox.ts";

type CallToolOptions = {
  routes: RouteTable;
  tools: Toolbox;
  /** Elysia's own entrance, for requests that were admitted. */
  answer: (request: Request) => Response | Promise<Response>;
  /** Why writes would fail at this moment, or `null`. */
  writeObstacle: () => AppError | null;
};

/** The result of a tool: the response of its request, also for failures. */
type ToolOutcome = { body: unknown; isError: boolean };

/** Lets the actor use a tool. */
type CallTool = (incoming: TracedRequest, tool: ReadyTool, given: RpcFields) => Promise<ToolOutcome>;

/**
 * Makes the call that a tool stands for, by its own route in this process: arguments are checked, rights asked for,
 * failures worded and changes recorded as for everyone else's call. The activity log is told of that call.
 */
export const createCallTool = ({ routes, tools, answer, writeObstacle }: CallToolOptions): CallTool => {
  const call: CallTool = async (incoming, tool, given) => {
    const { actor, isDryRun } = incoming.ctx;
    const { route } = tool;
    if (actor.kind !== "token") throw new AppError("NOT_SIGNED_IN");
    if (!mayUse(actor.token.scopes, tool)) throw new AppError("FORBIDDEN", notAllowed(tool));
    checkNames(tool, given, isDryRun);
    const { path, search, body } = toCall(tool, given);
    if (path.length + search.length > limits.urlBytes) throw new AppError("URI_TOO_LONG");
    // Behind this door a path is only a text: none may lead to another call than the tool's own.
    if (!isCanonicalPath(path) || routes.find(route.method, path) !== route)
      throw validationError([{ path: pathFields(tool).join(), message: mcpTexts.badPathValue }]);
    checkQuery(search);
    route.bodyCheck?.(body);
    const obstacle = route.originClass === "safe" ? null : writeObstacle();
    if (obstacle !== null) throw obstacle;
    const request = new Request(`http://localhost${path}${search}`, {
      method: route.method,
      headers: route.method === "GET" ? {} : { "content-type": "application/json" },
    });
    if (isDryRun) incoming.trace.isRecorded = true;
    admit(request, { ...incoming, body });
    const response = await answer(request);
    return { body: await response.json(), isError: response.status >= 400 };
  };

  const plan: CallTool = async (incoming, tool, given) => {
    checkNames(tool, given);
    const { tool: name, arguments: input } = given;
    const wanted = typeof name === "string" ? tools.get(name) : undefined;
    if (wanted === undefined || wanted.route.planned === null)
      throw validationError([{ path: "tool", message: mcpTexts.noPlan }]);
    if (!isFields(input)) throw validationError([{ path: "arguments", message: mcpTexts.badArguments }]);
    return call({ ...incoming, ctx: { ...incoming.ctx, isDryRun: true } }, wanted, input);
  };

  return async (incoming, tool, given) => {
    const { ctx, trace } = incoming;
    trace.called = { ...tool.route, template: `${tool.route.template} by the tool ${tool.name}` };
    try {
      return await (tool.plans ? plan : call)(incoming, tool, given);
    } catch (error) {
      const known = toAppError(error, "", ctx.requestId, ctx.log);
      trace.failure = known.kind;
      return { body: failureOf(known, ctx.requestId).body, isError: true };
    }
  };
};

const notAllowed = ({ needs }: ReadyTool): string =>
  needs === "any" ? tokenTexts.refused : tokenTexts.scopeMissing(needs);

const checkNames = ({ places, confirms }: ReadyTool, given: RpcFields, isDryRun = false): void => {
  const unknown = Object.keys(given).filter((name) => !places.has(name));
  if (unknown.length > 0)
    throw validationError(
      unknown.slice(0, 20).map((name) => ({ path: name.slice(0, 100), message: fieldTexts.unknown })),
    );
  if (
    confirms !== undefined &&
    !isDryRun &&
    (given.confirm === undefined || given.confirm !== given[confirms])
  )
    throw validationError([{ path: "confirm", message: mcpTexts.confirm(confirms) }]);
};

type Call = { path: string; search: string; body: unknown };

const toCall = (tool: ReadyTool, given: RpcFields): Call => {
  const { route, places, fixed = {} } = tool;
  const at = (place: string) => Object.entries(given).filter(([name]) => places.get(name) === place);
  const inPath = new Map(at("path").map(([name, value]) => [name, textOf(name, value)]));
  const path = route.template.replace(/:(\w+)/g, (_, name: string) => {
    const value = inPath.get(name);
    if (value === undefined) throw validationError([{ path: name, message: fieldTexts.required }]);
    return pathPart(value);
  });
  const query = new URLSearchParams(at("query").map(([name, value]) => [name, textOf(name, value)]));
  const search = query.size === 0 ? "" : `?${query}`;
  if (route.bodyKind === "upload") return { path, search, body: fileOf(given[packageField]) };
  const body = route.bodyCheck === null ? null : { ...fixed, ...Object.fromEntries(at("body")) };
  return { path, search, body };
};

const pathFields = ({ places }: ReadyTool): string[] =>
  [...places].filter(([, place]) => place === "path").map(([name]) => name);

const textOf = (path: string, value: unknown): string => {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw validationError([{ path, message: mcpTexts.badValue }]);
};

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A package as the door makes it of a form. */
const fileOf = (value: unknown): { name: string; bytes: Uint8Array } => {
  if (typeof value !== "string" || value.length % 4 !== 0 || !base64.test(value))
    throw validationError([{ path: packageField, message: mcpTexts.badPackage }]);
  return { name: "package.zip", bytes: new Uint8Array(Buffer.from(value, "base64")) };
};

/** Something to read. */
type Resource = { uri: string; name: string; title: string; description?: string; mimeType: string };

/** What assistants can read: the index for them, and the documentation that it names; nothing where neither was built. */
type Resources = {
  list(): Promise<Resource[]>;
  /** Rejects with an {@link RpcError} of `code` for what is not listed. */
  read(uri: unknown, code: "params" | "noResource"): Promise<{ uri: string; mimeType: string; text: string }>;
};

const indexPath = "/llms.txt";
const link = /^- \[([^\]\n]+)\]\((\S+?)\)(?:: (.+))?$/gm;

/** Takes them from the public pages. */
export const createResources = (pages: PageServer, appUrl: string): Resources => {
  const load = (path: string): Response =>
    pages.respond({
      ...{ method: "GET", path, search: "", headers: new Headers() },
      ...{ user: null, isKnown: true, hasToken: true },
    });

  const readIndex = async (): Promise<Resource[]> => {
    const response = load(indexPath);
    if (response.status !== 200 || !response.headers.get("content-type")?.startsWith("text/plain")) return [];
    const documents = [...(await response.text()).matchAll(link)].map(
      ([, title = "", uri = "", description]) => ({
        ...{ uri, name: uri.slice(appUrl.length + 1), title, mimeType: "text/html" },
        ...(description === undefined ? {} : { description }),
      }),
    );
    const index = {
      uri: appUrl + indexPath,
      name: "llms.txt",
      title: "What this server is",
      mimeType: "text/plain",
    };
    return [index, ...documents.filter(({ uri }) => isDocument(uri, appUrl))];
  };

  return {
    list: readIndex,
    read: async (uri, code) => {
      const found = (await readIndex()).find((resource) => resource.uri === uri);
      if (found === undefined) throw new RpcError(code, mcpTexts.unknownResource);
      const { mimeType } = found;
      const text = await load(found.uri.slice(appUrl.length)).text();
      return { uri: found.uri, mimeType, text: mimeType === "text/html" ? mainPart(text) : text };
    },
  };
};

const isDocument = (uri: string, appUrl: string): boolean =>
  uri.startsWith(appUrl) && /^\/docs(?:\/[a-z0-9-]+)*$/.test(uri.slice(appUrl.length));

/** A page without its frame. */
const mainPart = (html: string): string => /<main\b[\s\S]*<\/main>/.exec(html)?.[0] ?? html;

/** What came in a body: any JSON, or what is wrong with it. */
export type RpcBody = { value: unknown } | { fault: AppError };

/** Names a request in its answer. */
type RpcId = string | number;

export type RpcFields = { [name: string]: unknown };

/** One message of a client; without an `id` it wants no answer. */
export type RpcMessage = { id: RpcId | null; method: string; params: RpcFields };

/** Codes of JSON-RPC 2.0 §5.1, and those that the protocol adds. */
export const rpcCodes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  /** Of revisions with a handshake. */
  noResource: -32002,
  header: -32020,
  revision: -32022,
} as const;

/** A failure of the protocol itself; `status` is that of HTTP. What a tool could not do is no such failure. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  constructor(code: keyof typeof rpcCodes, message: string, { status = 200, data }: RpcErrorOptions = {}) {
    super(message);
    this.name = "RpcError";
    this.code = rpcCodes[code];
    this.status = status;
    this.data = data;
  }
}

type RpcErrorOptions = { status?: number; data?: unknown };

/** The message in a body. Throws an {@link RpcError} with status 400. */
export const readMessage = (body: RpcBody): RpcMessage => {
  if ("fault" in body) {
    const { kind, errors } = body.fault;
    if (kind === "BAD_REQUEST") throw new RpcError("parse", mcpTexts.notJson, { status: 400 });
    throw new RpcError("request", body.fault.message, { status: 400, data: { errors } });
  }
  const { value } = body;
  if (Array.isArray(value)) throw new RpcError("request", mcpTexts.batch, { status: 400 });
  if (!isFields(value) || value.jsonrpc !== "2.0" || typeof value.method !== "string") throw noMessage();
  const { id, method, params = {} } = value;
  if (!isFields(params)) throw noMessage();
  if (id === undefined) return { id: null, method, params };
  if (typeof id === "string" || Number.isSafeInteger(id)) return { id: id as RpcId, method, params };
  throw noMessage();
};

/** Whether something is an object with names. */
export const isFields = (value: unknown): value is RpcFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The id of what came, as far as there is one to answer to. */
export const idIn = (body: RpcBody): RpcId | null => {
  const id: unknown = "value" in body && isFields(body.value) ? body.value.id : null;
  return typeof id === "string" || typeof id === "number" ? id : null;
};

const noMessage = () => new RpcError("request", mcpTexts.notAMessage, { status: 400 });

/** The protocol revision of a message: one with a handshake, or the one where each message is self-contained. */
export type Era = "handshake" | "stateless";

const metaKey = "io.modelcontextprotocol/protocolVersion";

/**
 * By which kind of revision a message is meant. Proxies decide by headers what the server decides by the message, so both
 * must say the same. Throws an {@link RpcError}. Source: MCP 2026-07-28, Streamable HTTP, "Request Metadata".
 */
export const eraOf = (message: RpcMessage, headers: Headers): Era => {
  const header = headers.get("mcp-protocol-version");
  const meta = isFields(message.params._meta) ? message.params._meta[metaKey] : undefined;
  if (meta === undefined && header !== statelessRevision) {
    if (header !== null && !isHandshake(header)) throw notSpoken(header);
    return "handshake";
  }
  // Headers of notifications are not laid down, and none does anything here.
  if (message.id === null) return "stateless";
  if (meta !== header) throw mismatch("MCP-Protocol-Version");
  if (meta !== statelessRevision) throw notSpoken(meta);
  if (headers.get("mcp-method") !== message.method) throw mismatch("Mcp-Method");
  const named = nameIn(message);
  if (named !== undefined && plain(headers.get("mcp-name")) !== named) throw mismatch("Mcp-Name");
  return "stateless";
};

/** The revision that a handshake ends with: the one that was asked for, else the newest, which the client may refuse. */
export const agreedRevision = (asked: unknown): string =>
  handshakeRevisions.find((revision) => revision === asked) ?? handshakeRevisions[0];

const isHandshake = (revision: string): boolean => handshakeRevisions.some((one) => one === revision);

const notSpoken = (requested: unknown): RpcError =>
  new RpcError("revision", mcpTexts.revision, {
    status: 400,
    data: { supported: mcpRevisions, requested: String(requested).slice(0, 40) },
  });

const mismatch = (name: string): RpcError => new RpcError("header", mcpTexts.header(name), { status: 400 });

const nameIn = ({ method, params }: RpcMessage): unknown => {
  if (method === "tools/call") return params.name;
  return method === "resources/read" ? params.uri : undefined;
};

/** A header's value as it was before it was made fit for a header. */
const plain = (value: string | null): string | null => {
  const coded = /^=\?base64\?(.*)\?=$/.exec(value ?? "")?.[1];
  return coded === undefined ? value : Buffer.from(coded, "base64").toString("utf8");
};

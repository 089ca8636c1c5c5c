import type { AppError } from "#api/core/app-error.ts";
import { handshakeRevisions, mcpRevisions, mcpTexts, statelessRevision } from "#contract/mcp.ts";

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

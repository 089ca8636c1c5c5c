import { handshakeRevisions, mcpRevisions, mcpTexts, statelessRevision } from "#contract/mcp.ts";
import { isFields, RpcError, type RpcMessage } from "./rpc.ts";

/** How a message is meant: by a revision with a handshake, or by the one where each says it by itself. */
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

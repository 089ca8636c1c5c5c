import { mcpPath } from "#contract/mcp.ts";
import type { TokenClient } from "./token-client.ts";

/** An answer to a message, its text read. */
export type RawAnswer = {
  status: number;
  headers: Headers;
  text: string;
  json: { id?: unknown; result?: Record<string, unknown>; error?: { code: number; message: string } };
};

let ids = 0;

/** Sends a request of the protocol as it is in `params`, with an id of its own. */
export const sendMcp = async (
  client: TokenClient,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<RawAnswer> => {
  ids += 1;
  return rawMcp(client, { jsonrpc: "2.0", id: ids, method, params }, headers);
};

/** Sends any body. */
export const rawMcp = async (
  client: TokenClient,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> => {
  const response = await client.call("POST", mcpPath, body, { headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === "" ? {} : JSON.parse(text),
  };
};

/** What a tool gave: its answer, whether it failed, and the text that a model reads. */
export type ToolAnswer = { isError: boolean; text: string; data: Record<string, unknown> };

/** Uses a tool. Throws when the protocol itself refuses. */
export const callTool = async (
  client: TokenClient,
  name: string,
  given: Record<string, unknown> = {},
): Promise<ToolAnswer> => {
  const { json, text } = await sendMcp(client, "tools/call", { name, arguments: given });
  if (json.result === undefined) throw new Error(text);
  const { content, isError } = json.result;
  const [first] = Array.isArray(content) ? content : [];
  return { isError: isError === true, text: first.text, data: JSON.parse(first.text) };
};

import { Elysia, t } from "elysia";
import { type Door, incomingOf } from "#api/door/door.ts";
import { failure, failures, fileAnswer, integer } from "#api/modules/fields.ts";
import { mcpPath } from "#contract/mcp.ts";
import { tokenScheme } from "../document/api-document.ts";
import type { ServeMcp } from "./mcp-server.ts";

const id = t.Union([t.String(), t.Number()]);
const version = t.Literal("2.0");
const rpcError = t.Object({ code: integer(), message: t.String(), data: t.Optional(t.Unknown()) });
const fields = t.Record(t.String(), t.Unknown());
const rpcFailure = t.Object({ jsonrpc: version, id: t.Nullable(id), error: rpcError });
const rpcAnswer = t.Union([t.Object({ jsonrpc: version, id, result: fields }), rpcFailure]);
const refused = t.Union([rpcFailure, failure]);
// In plain words: the pipeline reads it before Elysia is asked, and what is wrong with it is answered as a message.
const rpcRequest = {
  type: "object" as const,
  required: ["jsonrpc", "method"],
  properties: {
    jsonrpc: { type: "string" as const, enum: ["2.0"] },
    id: { description: "Without one, nothing is answered" },
    method: { type: "string" as const, description: "Such as `tools/list`", maxLength: 200 },
    params: { type: "object" as const },
  },
};

/** The endpoint for assistants. */
export const mcpRoutes = (door: Door, serve: ServeMcp) =>
  new Elysia().use(door).post(
    mcpPath,
    async ({ request }) => {
      const { status, body } = await serve(incomingOf(request), request.headers);
      return body === null ? new Response(null, { status }) : Response.json(body, { status });
    },
    {
      access: "admin",
      scope: "any",
      proof: "none",
      messages: true,
      response: {
        200: rpcAnswer,
        202: fileAnswer("text/plain", "A notification was taken; nothing is answered"),
        ...failures("NOT_SIGNED_IN", "FORBIDDEN", "CROSS_ORIGIN", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE"),
        ...failures("UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED", "DB_UNAVAILABLE"),
        400: refused,
        404: refused,
        500: refused,
      },
      detail: {
        summary: "Talk to the server as an assistant",
        description:
          "One message of the Model Context Protocol over Streamable HTTP, for API tokens alone: their scopes decide which " +
          "tools there are. Off unless `MCP_ENABLED` is `1`, and then as if it were not there.",
        tags: ["System"],
        security: [{ [tokenScheme]: [] }],
        requestBody: { required: true, content: { "application/json": { schema: rpcRequest } } },
      },
    },
  );

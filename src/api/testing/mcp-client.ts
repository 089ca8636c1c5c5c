import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationOptions,
} from "@modelcontextprotocol/client";
import { mcpPath } from "#contract/mcp.ts";
import { type TestHost, testOrigin } from "./host.ts";

/** What goes over the wire: the official client on one side, the application on the other. */
type Exchange = { request: Request; response: Response };

export type McpClientOptions = {
  token: string;
  /** Which revisions it speaks: with a handshake unless told otherwise. */
  mode?: NonNullable<VersionNegotiationOptions["mode"]>;
  /** Sees each request with its answer. */
  watch?: (exchange: Exchange) => void;
};

/** The protocol's official client, connected to a host with an API token. */
export const connectMcp = async (
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

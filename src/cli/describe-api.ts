import type { ApiDescription } from "./client.ts";
import { isRecord, readAnswer, refusalOf } from "./read-answer.ts";
import type { Transport } from "./transport.ts";

const timeoutMs = 60_000;

/**
 * The API's own description. An app in this process runs no plugins by itself: those that are enabled are started for
 * it, since they alone know their routes; one that fails to start has none. Throws what the API refused, and `UNREACHABLE`.
 */
export const describeApi = async (transport: Transport): Promise<ApiDescription> => {
  const read = (path: string) =>
    transport.send({ method: "GET", path, body: null, signal: AbortSignal.timeout(timeoutMs) });
  if (!transport.isServer) {
    const plugins = await readAnswer<"GET /api/plugins">(await read("/api/plugins"), transport.target);
    for (const { name, enabled } of plugins) if (enabled) await transport.startPlugin(name);
  }
  const response = await read("/swagger/json");
  const body: unknown = await response.json().catch(() => null);
  if (isDescription(body)) return body;
  throw refusalOf(isRecord(body) ? body : null, { target: transport.target, status: response.status });
};

const isDescription = (body: unknown): body is ApiDescription =>
  isRecord(body) && typeof body.openapi === "string";

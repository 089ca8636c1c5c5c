import { checkAddress } from "./check-address.ts";
import { OutboundError } from "./outbound-error.ts";

/** A call to another server. `signal` ends it early. */
export type OutboundRequest = {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
};

/** The answer, whatever its status; `text` is UTF-8 within the size that was allowed. */
export type OutboundAnswer = { status: number; text: string };

/** Calls another server. Rejects with an {@link OutboundError} when there is no answer to read. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>;

export type OutboundOptions = { deadlineMs?: number; mostBytes?: number };

/**
 * The one way out of this process over HTTP: an address that passes {@link checkAddress}, no redirect followed, and an
 * answer that is complete within `deadlineMs` (8 s) and `mostBytes` (256 kB, unpacked).
 */
export const createOutbound =
  ({ deadlineMs = 8_000, mostBytes = 256 * 1024 }: OutboundOptions = {}): Outbound =>
  async ({ url, method = "GET", headers = {}, body, signal }) => {
    const address = checkAddress(url);
    const deadline = AbortSignal.timeout(deadlineMs);
    const end = signal ? AbortSignal.any([deadline, signal]) : deadline;
    try {
      const response = await fetch(address, {
        method,
        headers: { "user-agent": "Atrium", "accept-encoding": "identity", ...headers },
        redirect: "error",
        // Such calls are rare: a kept connection would only be one that the other side has closed by now.
        keepalive: false,
        signal: end,
        ...(body === undefined ? {} : { body }),
      });
      return { status: response.status, text: await readText(response, mostBytes) };
    } catch (error) {
      throw end.aborted ? new OutboundError("slow") : asFault(error);
    }
  };

const readText = async (response: Response, mostBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  if (response.body === null) return "";
  const reader = response.body.getReader();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    sizeBytes += chunk.value.byteLength;
    if (sizeBytes > mostBytes) {
      await reader.cancel();
      throw new OutboundError("large");
    }
    chunks.push(chunk.value);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
};

// The runtime's own errors name the address, which may hold what is nobody's business.
const asFault = (error: unknown): OutboundError => {
  if (error instanceof OutboundError) return error;
  const code: unknown = Reflect.get(Object(error), "code");
  return new OutboundError(code === "UnexpectedRedirect" ? "redirect" : "unreachable");
};

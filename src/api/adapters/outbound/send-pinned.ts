import { request as requestInTheOpen } from "node:http";
import { request as requestOverTls } from "node:https";
import { OutboundError, type ResolvedAddress } from "./check-address.ts";

/** A request to exactly the addresses that were judged, whatever its host name is looked up to meanwhile. */
export type PinnedRequest = {
  url: URL;
  target: ResolvedAddress;
  /** Judged as well, and dialled in turn when no one answers at the first. */
  others?: readonly ResolvedAddress[];
  /** Ends it early, as too slow. */
  signal?: AbortSignal;
  method: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
  deadlineMs: number;
  mostBytes: number;
};

/** The answer as it came: a redirect is one too. Names of headers are in lower case. */
export type PinnedAnswer = { status: number; headers: Record<string, string>; body: Uint8Array };

/**
 * Sends the request to the address that was judged; TLS and the `Host` header still name the host. Rejects with an
 * {@link OutboundError}.
 */
export const sendPinned = ({
  url,
  target,
  others = [],
  signal,
  method,
  headers,
  body,
  deadlineMs,
  mostBytes,
}: PinnedRequest): Promise<PinnedAnswer> =>
  new Promise((resolve, reject) => {
    const fail = (fault: "slow" | "large" | "unreachable") => {
      settle();
      reject(new OutboundError(fault));
      sent.destroy();
    };
    const onAbort = () => fail("slow");
    const deadline = setTimeout(onAbort, deadlineMs);
    const settle = () => {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
    };
    const start = url.protocol === "https:" ? requestOverTls : requestInTheOpen;
    const sent = start(
      {
        host: url.hostname.replace(/^\[|\]$/g, ""),
        ...(url.port === "" ? {} : { port: url.port }),
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...headers, ...(body === null ? {} : { "content-length": String(body.byteLength) }) },
        // A kept connection would outlive the judgement.
        agent: false,
        lookup: (_name, options, found) => {
          if (options.all) found(null, [target, ...others]);
          else found(null, target.address, target.family);
        },
      },
      (message) => {
        const chunks: Uint8Array[] = [];
        let sizeBytes = 0;
        message.on("data", (chunk: Uint8Array) => {
          sizeBytes += chunk.byteLength;
          if (sizeBytes > mostBytes) return fail("large");
          chunks.push(chunk);
        });
        message.on("error", () => fail("unreachable"));
        message.on("aborted", () => fail("unreachable"));
        message.on("end", () => {
          settle();
          resolve({
            status: message.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(message.headers).map(([name, value]) => [
                name,
                Array.isArray(value) ? value.join(", ") : String(value ?? ""),
              ]),
            ),
            body: Buffer.concat(chunks),
          });
        });
      },
    );
    sent.on("error", () => fail("unreachable"));
    sent.end(body ?? undefined);
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort);
  });

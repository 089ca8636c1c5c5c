import { request as requestInTheOpen } from "node:http";
import { request as requestOverTls } from "node:https";
import { OutboundError } from "./outbound-error.ts";
import type { ResolvedAddress } from "./resolve-address.ts";

/** A request to exactly one address, whatever its host name is looked up to meanwhile. */
export type PinnedRequest = {
  url: URL;
  target: ResolvedAddress;
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
  method,
  headers,
  body,
  deadlineMs,
  mostBytes,
}: PinnedRequest): Promise<PinnedAnswer> =>
  new Promise((resolve, reject) => {
    const fail = (fault: "slow" | "large" | "unreachable") => {
      clearTimeout(deadline);
      reject(new OutboundError(fault));
      sent.destroy();
    };
    const deadline = setTimeout(() => fail("slow"), deadlineMs);
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
          if (options.all) found(null, [target]);
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
          clearTimeout(deadline);
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
  });

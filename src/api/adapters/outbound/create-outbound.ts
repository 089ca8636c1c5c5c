import { request as requestInTheOpen } from "node:http";
import { request as requestOverTls } from "node:https";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import {
  checkAddress,
  OutboundError,
  type ResolvedAddress,
  type Resolver,
  resolveEachAllowed,
} from "./check-address.ts";

/** A call to another server. `signal` ends it early. */
type OutboundRequest = {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  /** Whether a redirect is an answer, too; it is never followed. */
  readsRedirect?: true;
};

/** The answer, whatever its status; `text` is UTF-8 within the size that was allowed, and a redirect that is read has a `location`. */
export type OutboundAnswer = { status: number; text: string; location?: string };

/** Calls another server. Rejects with an {@link OutboundError} when there is no answer to read. */
export type Outbound = (request: OutboundRequest) => Promise<OutboundAnswer>;

type OutboundOptions = {
  deadlineMs?: number;
  mostBytes?: number;
  /** Looks names up; the system's resolver unless given. */
  resolve?: Resolver;
};

/**
 * The one way out of this process over HTTP: an address that passes {@link checkAddress}, looked up once and dialled as it
 * was judged, no redirect followed, and an answer that is complete within `deadlineMs` (8 s) and `mostBytes` (256 kB,
 * unpacked).
 */
export const createOutbound =
  ({ deadlineMs = 8_000, mostBytes = 256 * 1024, resolve }: OutboundOptions = {}): Outbound =>
  async ({ url: written, method = "GET", headers = {}, body, signal, readsRedirect = false }) => {
    const url = checkAddress(written);
    const startedAt = performance.now();
    const deadline = AbortSignal.timeout(deadlineMs);
    const end = signal ? AbortSignal.any([deadline, signal]) : deadline;
    try {
      const [target, ...others] = await unlessEnded(resolveEachAllowed(url.hostname, resolve), end);
      if (target === undefined) throw new OutboundError("unreachable");
      const answer = await sendPinned({
        url,
        target,
        others,
        method,
        headers: { "user-agent": "Atrium", accept: "*/*", "accept-encoding": "identity", ...headers },
        body: body === undefined ? null : new TextEncoder().encode(body),
        deadlineMs: deadlineMs - (performance.now() - startedAt),
        mostBytes,
        signal: end,
      });
      const location = redirects.includes(answer.status) ? answer.headers.location : undefined;
      if (location !== undefined && !readsRedirect) throw new OutboundError("redirect");
      const content = await unpackAnswer(answer, mostBytes);
      if (content === null) throw new OutboundError("unreachable");
      const text = new TextDecoder().decode(content);
      return { status: answer.status, text, ...(location === undefined ? {} : { location }) };
    } catch (error) {
      if (end.aborted) throw new OutboundError("slow");
      // What the system says of a name holds the name, which may be no one's business.
      throw error instanceof OutboundError ? error : new OutboundError("unreachable");
    }
  };

const redirects = [301, 302, 303, 307, 308];

/** A lookup cannot be called off; no one waits for it any longer. */
const unlessEnded = <T>(work: Promise<T>, end: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onEnd = () => reject(new OutboundError("slow"));
    if (end.aborted) onEnd();
    end.addEventListener("abort", onEnd, { once: true });
    work.then(resolve, reject).finally(() => end.removeEventListener("abort", onEnd));
  });

const unpackers = new Map([
  ["gzip", promisify(gunzip)],
  ["br", promisify(brotliDecompress)],
  ["deflate", promisify(inflate)],
]);

/**
 * The body as it was before it was compressed, which some servers do whatever they are asked for; `null` when the way is
 * not known. Throws `OutboundError("large")` beyond `mostBytes` unpacked.
 */
export const unpackAnswer = async (
  { headers, body }: PinnedAnswer,
  mostBytes: number,
): Promise<Uint8Array | null> => {
  const coding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding === "identity" || coding === "" || body.byteLength === 0) return body;
  const unpack = unpackers.get(coding);
  if (unpack === undefined) return null;
  try {
    return await unpack(body, { maxOutputLength: mostBytes });
  } catch {
    throw new OutboundError("large");
  }
};

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

import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { checkAddress, OutboundError, type Resolver, resolveEachAllowed } from "./check-address.ts";
import { type PinnedAnswer, sendPinned } from "./send-pinned.ts";

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

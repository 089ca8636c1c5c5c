import { type IncomingMessage, type RequestOptions, request as requestInTheOpen } from "node:http";
import { request as requestOverTls } from "node:https";
import { Readable } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { type ResolvedAddress, resolveAllowed } from "#api/adapters/outbound/check-address.ts";
import { BucketError } from "#api/core/objects.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { isR2Endpoint, s3EndpointComplaint } from "#contract/credential-settings.ts";

/** What the S3 client hands over to be sent, as far as it is looked at here. */
type SignedRequest = {
  protocol: string;
  hostname: string;
  port?: number;
  method: string;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body?: unknown;
};

/** `mostBytes` bounds the answer, `quietMs` each silence. */
type SendOptions = { abortSignal?: AbortSignal | undefined; mostBytes?: number };

export type S3TransportOptions = {
  /** How long the server may be silent: 2 s. What is sent adds its own time. */
  quietMs?: number;
  /** Gives the address that is dialled, or throws. */
  resolve?: (hostname: string) => Promise<ResolvedAddress>;
};

// An answer that is no object: a list of what one name has begun to upload. Reading XML holds everyone else up.
const mostOtherBytes = 256 * 1024;
const mostErrorBytes = 64 * 1024;
// What the slowest line takes that is worth having.
const bytesPerMs = 250;

/**
 * Sends the S3 client's requests: the name is looked up once, the address checked, and exactly that address dialled (TLS
 * still asks for the name). No redirect is followed, answers are bounded, and silence ends the call. Rejects with a
 * `BucketError`, or with what the system says.
 */
const createS3Transport = ({ quietMs = 2_000, resolve = resolveAllowed }: S3TransportOptions = {}) => ({
  handle: async (request: SignedRequest, { abortSignal, mostBytes = mostOtherBytes }: SendOptions = {}) => {
    const isOpen = request.protocol === "http:";
    const target = await resolve(request.hostname);
    if (isOpen && !isNearby(target.address)) throw new BucketError("refused");
    const body = bodyOf(request.body);
    const exchange = send(isOpen ? requestInTheOpen : requestOverTls, {
      options: { ...toOptions(request, target), ...(abortSignal ? { signal: abortSignal } : {}) },
      body,
      quietMs: quietMs + body.byteLength / bytesPerMs,
      answerQuietMs: quietMs,
      mostBytes,
    });
    return { response: await exchange };
  },
});

type Exchange = {
  options: RequestOptions;
  body: Uint8Array;
  quietMs: number;
  answerQuietMs: number;
  mostBytes: number;
};

type Answer = { statusCode: number; reason: string; headers: Record<string, string>; body: Readable };

const send = (
  start: typeof requestOverTls,
  { options, body, quietMs, answerQuietMs, mostBytes }: Exchange,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const end = (error: unknown): void => {
      clearTimeout(silence);
      reject(error);
      sent.destroy();
    };
    const limit = (ms: number) => setTimeout(() => end(new BucketError("slow")), ms);
    let silence = limit(quietMs);
    const sent = start(options, (message) => {
      const status = message.statusCode ?? 0;
      if (status >= 300 && status < 400) return end(new BucketError("redirect"));
      const isError = status >= 400;
      const most = isError ? Math.min(mostBytes, mostErrorBytes) : mostBytes;
      const chunks: Uint8Array[] = [];
      let sizeBytes = 0;
      message.on("data", (chunk: Uint8Array) => {
        clearTimeout(silence);
        silence = limit(answerQuietMs);
        sizeBytes += chunk.byteLength;
        if (sizeBytes <= most) return void chunks.push(chunk);
        // What an overlong error is about, its status says.
        if (isError) resolve(answerOf(message, Buffer.alloc(0)));
        end(new BucketError("large"));
      });
      message.on("error", end);
      message.on("aborted", () => end(new BucketError("unreachable")));
      message.on("end", () => {
        clearTimeout(silence);
        resolve(answerOf(message, Buffer.concat(chunks)));
      });
    });
    sent.on("error", end);
    sent.end(body);
  });

const answerOf = (message: IncomingMessage, content: Buffer): Answer => ({
  statusCode: message.statusCode ?? 0,
  reason: "",
  headers: Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, String(value ?? "")]),
  ),
  body: Readable.from([content]),
});

const toOptions = (request: SignedRequest, { address, family }: ResolvedAddress): RequestOptions => {
  const { hostname, port, method, path, query = {}, headers } = request;
  // The server would answer in two steps, of which nothing is gained: whole bodies are at hand.
  const { expect: _, ...others } = headers;
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    method,
    path: `${path}${queryOf(query)}`,
    headers: others,
    ...(port === undefined ? {} : { port }),
    lookup: (_name, options, found) => {
      if (options.all) found(null, [{ address, family }]);
      else found(null, address, family);
    },
  };
};

const queryOf = (query: Record<string, string | string[] | null>): string => {
  const words = Object.entries(query).flatMap(([name, value]) => {
    const values = Array.isArray(value) ? value : [value];
    return values.map((word) => (word === null ? encode(name) : `${encode(name)}=${encode(word)}`));
  });
  return words.length === 0 ? "" : `?${words.join("&")}`;
};

// As the signature has it: RFC 3986 §2.1.
const encode = (word: string): string =>
  encodeURIComponent(word).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const bodyOf = (body: unknown): Uint8Array => {
  if (body === undefined || body === null) return new Uint8Array();
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new Error("only whole bodies are sent");
};

/**
 * The endpoint as a URL when it is Cloudflare R2's or an origin that the operator listed, written without tricks. Throws
 * `BucketError("refused")` otherwise.
 */
export const checkEndpoint = (endpoint: string, otherOrigins: readonly string[]): URL => {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const isKnown = endpoint !== "" && s3EndpointComplaint(endpoint, otherOrigins) === null;
  if (url === null || !isKnown || !["http:", "https:"].includes(url.protocol))
    throw new BucketError("refused");
  // An origin and nothing more; a host that reads otherwise once it is parsed was a number in disguise.
  if (url.origin !== endpoint.toLowerCase()) throw new BucketError("refused");
  return url;
};

/** Whether an address lies on this machine or in a private network, where words may travel in the open. */
export const isNearby = (address: string): boolean =>
  /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][0-9a-f]{2}:)/i.test(address);

type S3ConnectOptions = S3TransportOptions & {
  /** Origins accepted besides Cloudflare's. */
  otherOrigins: readonly string[];
  region: string;
  /** How often a call is tried. */
  tries: number;
};

/** Makes a client that sends nothing by itself. Throws a `BucketError` when the endpoint is not one that may be called. */
export const connectS3 = async (
  target: BucketTarget,
  { otherOrigins, region, tries, ...transport }: S3ConnectOptions,
): Promise<S3Client> => {
  checkEndpoint(target.endpoint, otherOrigins);
  const { S3Client } = await import("@aws-sdk/client-s3");
  return new S3Client({
    endpoint: target.endpoint,
    region,
    credentials: { accessKeyId: target.accessKeyId, secretAccessKey: target.secretAccessKey },
    requestHandler: createS3Transport(transport),
    forcePathStyle: true,
    // Servers other than Amazon's refuse checksums that they were not asked for.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: tries,
    ...untouchedByEnvironment,
  });
};

/** Cloudflare knows one region, Amazon's hosts name theirs, and most other servers are set up with the first one's name. */
export const regionOf = (endpoint: string): string => {
  if (isR2Endpoint(endpoint)) return "auto";
  return /^https:\/\/s3[.-]([a-z]+(?:-[a-z]+)+-\d)\.amazonaws\.com\/?$/.exec(endpoint)?.[1] ?? "us-east-1";
};

/** The client would look for these in the environment and in files of the home folder otherwise. */
const untouchedByEnvironment = {
  defaultsMode: "standard",
  retryMode: "standard",
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  useArnRegion: false,
  disableMultiregionAccessPoints: true,
  disableS3ExpressSessionAuth: true,
  userAgentAppId: undefined,
} as const;

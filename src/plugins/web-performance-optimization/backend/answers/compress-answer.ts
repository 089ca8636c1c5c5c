import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from "node:zlib";
import type { ArrivingRequest } from "#plugins/sdk/native-types.ts";
import { readBody } from "./read-body.ts";

// Smaller ones fit into one packet as they are.
const leastBytes = 1_024;
const mostBytes = 4_000_000;
// The head of a compressed answer is longer: `content-encoding` and `vary` are in it.
const headBytes = 48;
const waitMs = 200;
const textual =
  /^(?:application\/(?:[\w.+-]*\+)?json|application\/xml|text\/(?!event-stream)[\w.+-]+|image\/svg\+xml)\s*(?:;|$)/i;
// They come piece by piece, and whoever reads them wants each as soon as it is there.
const streamed = /^text\/csv\b/i;

/**
 * Whether an answer may be compressed without telling a secret by its length (BREACH). That takes somebody who makes a
 * victim's browser ask for an answer that holds both a secret and words of theirs, again and again, and sees the lengths. So
 * what was asked for with a cookie is compressed only when the browser says that a page of ours asked: another site's page
 * cannot say that. Credentials in a header are never sent by a browser of its own accord.
 */
const tellsNothing = ({ method, headers }: Pick<ArrivingRequest, "method" | "headers">): boolean =>
  method === "GET" && (headers.get("cookie") === null || headers.get("sec-fetch-site") === "same-origin");

/** Whether compressing could make an answer smaller, whoever reads it. */
const isCompressible = ({ status, headers }: Response): boolean => {
  const type = headers.get("content-type") ?? "";
  return (
    status >= 200 &&
    status < 600 &&
    status !== 204 &&
    status !== 206 &&
    status !== 304 &&
    textual.test(type) &&
    !streamed.test(type) &&
    !headers.has("content-encoding") &&
    !headers.has("content-range") &&
    !headers.has("set-cookie") &&
    !/\bno-transform\b/i.test(headers.get("cache-control") ?? "")
  );
};

/**
 * A dynamic answer in the coding that its reader likes best; `undefined` leaves it as it is. The entity tag becomes a weak
 * one: the bytes are others. What turns out to be long, or to come slowly, goes out as it comes.
 */
export const compressAnswer = async (
  request: Pick<ArrivingRequest, "method" | "headers">,
  response: Response,
): Promise<Response | undefined> => {
  if (!isCompressible(response) || !tellsNothing(request)) return undefined;
  const coding = chooseCoding(request.headers.get("accept-encoding"));
  const { body } = response;
  const length = response.headers.get("content-length");
  if (body === null || (length !== null && Number(length) < leastBytes)) return undefined;
  if (coding === null || request.headers.has("range")) {
    addVary(response.headers, "accept-encoding");
    return undefined;
  }
  const { status } = response;
  const headers = new Headers(response.headers);
  const read = await readBody(body, { mostBytes, waitMs });
  if ("rest" in read) {
    addVary(headers, "accept-encoding");
    return new Response(read.rest, { status, headers });
  }
  headers.delete("content-length");
  // Short ones are alike for every reader, and so their head says nothing of codings.
  if (read.bytes.byteLength < leastBytes) return new Response(read.bytes, { status, headers });
  addVary(headers, "accept-encoding");
  const packed = await packedOr(coding, read.bytes);
  if (packed === null || packed.byteLength + headBytes >= read.bytes.byteLength)
    return new Response(read.bytes, { status, headers });
  headers.set("content-encoding", coding);
  const etag = headers.get("etag");
  if (etag?.startsWith('"')) headers.set("etag", `W/${etag}`);
  return new Response(packed, { status, headers });
};

/** The packed bytes, or `null`: as they were they are right, too. */
const packedOr = async (coding: AnswerCoding, bytes: Uint8Array<ArrayBuffer>) => {
  try {
    return await compress(coding, bytes);
  } catch {
    // Without memory for it; the answer has been read by now and must go out.
    return null;
  }
};

// Up to there handing them to another thread costs more than the work itself.
const mostAtOnceBytes = 32_768;

// Cheap levels. Of 17 kB of JSON zstd makes 3.3 kB in 0.04 ms, brotli the same in 0.08, gzip 3.8 kB in 0.08.
const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };
const deflate = { level: 6 };

type Bytes = Uint8Array<ArrayBuffer>;
type Done = (error: Error | null, bytes: Bytes) => void;

const atOnce: Record<AnswerCoding, (bytes: Uint8Array) => Bytes> = {
  zstd: (bytes) => zstdCompressSync(bytes, zstd),
  br: (bytes) => brotliCompressSync(bytes, brotli),
  gzip: (bytes) => gzipSync(bytes, deflate),
};

const beside: Record<AnswerCoding, (bytes: Uint8Array) => Promise<Bytes>> = {
  zstd: promisify((bytes: Uint8Array, done: Done) => zstdCompress(bytes, zstd, done)),
  br: promisify((bytes: Uint8Array, done: Done) => brotliCompress(bytes, brotli, done)),
  gzip: promisify((bytes: Uint8Array, done: Done) => gzip(bytes, deflate, done)),
};

/** The bytes in a coding; many of them are compressed beside the event loop. */
const compress = (coding: AnswerCoding, bytes: Uint8Array): Bytes | Promise<Bytes> =>
  bytes.byteLength <= mostAtOnceBytes ? atOnce[coding](bytes) : beside[coding](bytes);

/** Codings of dynamic answers, the one that costs least for its bytes first. */
const answerCodings = ["zstd", "br", "gzip"] as const;
type AnswerCoding = (typeof answerCodings)[number];

/**
 * The coding that a reader weighs highest, the first of ours among equals; `null` where none of them is wanted. Source:
 * RFC 9110 §12.5.3.
 */
export const chooseCoding = (acceptEncoding: string | null): AnswerCoding | null => {
  if (acceptEncoding === null || acceptEncoding.length > 500) return null;
  const weights = new Map<string, number>();
  for (const item of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
    const q = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1);
    weights.set(name, Number.isNaN(q) ? 0 : q);
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0;
  const best = Math.max(...answerCodings.map(weightOf));
  if (best <= 0 || (weights.get("identity") ?? 0) > best) return null;
  return answerCodings.find((coding) => weightOf(coding) === best) ?? null;
};

/** Adds names to the list of headers that an answer depends on. */
export const addVary = (headers: Headers, ...names: string[]): void => {
  const known = (headers.get("vary") ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  if (known.includes("*")) return;
  headers.set("vary", [...new Set([...known, ...names])].join(", "));
};

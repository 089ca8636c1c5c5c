import type { ArrivingRequest } from "#plugins/sdk/native-types.ts";
import { addVary } from "./add-vary.ts";
import { type AnswerCoding, chooseCoding } from "./choose-coding.ts";
import { compress } from "./compress.ts";
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
export const tellsNothing = ({ method, headers }: Pick<ArrivingRequest, "method" | "headers">): boolean =>
  method === "GET" && (headers.get("cookie") === null || headers.get("sec-fetch-site") === "same-origin");

/** Whether compressing could make an answer smaller, whoever reads it. */
export const isCompressible = ({ status, headers }: Response): boolean => {
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

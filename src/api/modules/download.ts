import { ownBytes, streamOf } from "#api/core/csv.ts";

/** A file that is sent in pieces. */
export type Download = {
  fileName: string;
  contentType: string;
  /** Additional response headers. */
  headers?: Record<string, string>;
  pieces: AsyncIterable<string>;
  /** Called when the file is sent, but not for a HEAD request. */
  onSend?: () => void;
};

/** A streamed response that browsers save as a file. */
export const downloadAnswer = ({ fileName, contentType, headers, pieces }: Download): Response =>
  new Response(bodyOf(pieces), {
    headers: {
      ...headers,
      "content-type": contentType,
      "content-disposition": `attachment; filename="${fileName}"`,
    },
  });

/** A file of known size. */
export type BytesDownload = {
  fileName: string;
  contentType: string;
  sizeBytes: number;
  bytes: AsyncIterable<Uint8Array>;
};

/** The same for bytes of known length, so that an incomplete download is noticed. */
export const bytesAnswer = (file: BytesDownload): Response =>
  new Response(streamOf(file.bytes, ownBytes), {
    headers: {
      "content-type": file.contentType,
      "content-length": String(file.sizeBytes),
      "content-disposition": `attachment; filename="${file.fileName}"`,
    },
  });

/**
 * The body of a streamed response. The next piece is requested once the one before has been sent; a client that
 * disconnects ends `pieces`. If `pieces` throws, the connection is cut, so that a part is not taken for the whole.
 */
export const bodyOf = (pieces: AsyncIterable<string>): ReadableStream<Uint8Array> =>
  streamOf(pieces, (piece) => encoder.encode(piece));

const encoder = new TextEncoder();

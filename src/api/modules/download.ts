import { ownBytes, streamOf } from "#api/core/csv.ts";

/** A file on its way out, piece by piece. */
export type Download = {
  fileName: string;
  contentType: string;
  /** What else is to be said of it. */
  headers?: Record<string, string>;
  pieces: AsyncIterable<string>;
  /** Is called when it is sent, and not where its headers alone are asked for. */
  onSend?: () => void;
};

/** A streamed answer that browsers save as a file. */
export const downloadAnswer = ({ fileName, contentType, headers, pieces }: Download): Response =>
  new Response(bodyOf(pieces), {
    headers: {
      ...headers,
      "content-type": contentType,
      "content-disposition": `attachment; filename="${fileName}"`,
    },
  });

/** A file of which is known how large it is. */
export type BytesDownload = {
  fileName: string;
  contentType: string;
  sizeBytes: number;
  bytes: AsyncIterable<Uint8Array>;
};

/** The same for bytes whose number is known, so that whoever gets fewer knows it. */
export const bytesAnswer = (file: BytesDownload): Response =>
  new Response(streamOf(file.bytes, ownBytes), {
    headers: {
      "content-type": file.contentType,
      "content-length": String(file.sizeBytes),
      "content-disposition": `attachment; filename="${file.fileName}"`,
    },
  });

/**
 * The body of a streamed answer. The next piece is asked for once the one before has left; who goes away early ends
 * `pieces`. When `pieces` throws, the connection is cut, so that nobody takes a part for the whole.
 */
export const bodyOf = (pieces: AsyncIterable<string>): ReadableStream<Uint8Array> =>
  streamOf(pieces, (piece) => encoder.encode(piece));

const encoder = new TextEncoder();

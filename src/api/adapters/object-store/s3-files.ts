import { createHash } from "node:crypto";
import type { S3Client } from "@aws-sdk/client-s3";
import { BucketError } from "#api/core/objects.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { bucketFaultOf, namedRegion, statusOf } from "./s3-client.ts";
import { connectS3, regionOf, type S3TransportOptions } from "./s3-transport.ts";

/** Large files below a prefix of a bucket, each there whole or not at all. Calls reject with a `BucketError`. */
export type BucketFiles = {
  /** Sends a file as it comes, in parts; what was sent of one that fails is given up. One writer at a time. */
  write(name: string, bytes: AsyncIterable<Uint8Array>): Promise<{ sizeBytes: number; sha256: string }>;
  /** Those below the prefix, by their names there; a list that does not end is a fault. */
  list(): Promise<ListedFile[]>;
  /** The content as it arrives, or `null` when there is none of that name. */
  read(name: string): Promise<{ sizeBytes: number; bytes: AsyncIterable<Uint8Array> } | null>;
  /** Removes a file; `false` when there is none. */
  remove(name: string): Promise<boolean>;
  close(): void;
};

type BucketFilesOptions = S3TransportOptions & {
  otherOrigins: readonly string[];
  /** Ends with a slash. */
  prefix: string;
  /** S3 takes 10,000 parts, all but the last of one size. */
  partBytes?: number;
  /** How long a whole list may take: 30 s. */
  listMs?: number;
};

const defaultPartBytes = 16 * 1024 * 1024;
const callMs = 10_000;
const bytesPerMs = 250;
const tries = 3;

/** Opens them; nothing is loaded or sent before they are used. */
export const openBucketFiles = (
  target: BucketTarget,
  { otherOrigins, prefix, partBytes = defaultPartBytes, listMs = 30_000, ...transport }: BucketFilesOptions,
): BucketFiles => {
  let region = regionOf(target.endpoint);
  let opening: Promise<S3Client> | null = null;
  const Bucket = target.bucket;
  const placeOf = (name: string) => ({ Bucket, Key: `${prefix}${name}` });

  const attempt = async <T>(sizeBytes: number, work: Work<T>): Promise<T> => {
    opening ??= connectS3(target, { otherOrigins, region, tries, ...transport });
    const abortSignal = AbortSignal.timeout(callMs + sizeBytes / bytesPerMs);
    return work({ client: await opening, sdk: await import("@aws-sdk/client-s3"), abortSignal });
  };

  /** Again when the server names the region that it wants requests to be signed for. */
  const call = async <T>(work: Work<T>, sizeBytes = 0): Promise<T> => {
    try {
      return await attempt(sizeBytes, work).catch((error: unknown) => {
        const named = namedRegion(error);
        if (named === null || named === region) throw error;
        region = named;
        opening = null;
        return attempt(sizeBytes, work);
      });
    } catch (error) {
      throw new BucketError(bucketFaultOf(error));
    }
  };

  const sizeOf = (name: string): Promise<number | null> =>
    call(async ({ client, sdk, abortSignal }) => {
      try {
        const found = await client.send(new sdk.HeadObjectCommand(placeOf(name)), { abortSignal });
        return found.ContentLength ?? 0;
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw error;
      }
    });

  const giveUp = (Key: string, UploadId: string): Promise<void> =>
    call(async ({ client, sdk, abortSignal }) => {
      await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal });
    });

  /** What a writer that was killed had begun: it is never listed, but costs its room. */
  const sweep = async (): Promise<void> => {
    const uploads = await call(async ({ client, sdk, abortSignal }) => {
      const list = new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: prefix });
      return (await client.send(list, { abortSignal })).Uploads ?? [];
    });
    for (const { Key, UploadId } of uploads)
      if (Key?.startsWith(prefix) && UploadId !== undefined) await giveUp(Key, UploadId);
  };

  const sendPart = (part: { name: string; UploadId: string; PartNumber: number; Body: Uint8Array }) =>
    call(async ({ client, sdk, abortSignal }) => {
      const { name, ...rest } = part;
      const { ETag } = await client.send(new sdk.UploadPartCommand({ ...placeOf(name), ...rest }), {
        abortSignal,
      });
      return { ETag, PartNumber: part.PartNumber };
    }, part.Body.byteLength);

  return {
    write: async (name, bytes) => {
      // A token may be allowed to write without being allowed to list what was begun.
      await sweep().catch(() => {});
      const UploadId = await call(async ({ client, sdk, abortSignal }) => {
        const begin = new sdk.CreateMultipartUploadCommand({
          ...placeOf(name),
          ContentType: "application/octet-stream",
        });
        return (await client.send(begin, { abortSignal })).UploadId;
      });
      if (UploadId === undefined) throw new BucketError("odd");
      const hash = createHash("sha256");
      let sizeBytes = 0;
      try {
        const Parts: Awaited<ReturnType<typeof sendPart>>[] = [];
        for await (const Body of inParts(bytes, partBytes)) {
          hash.update(Body);
          sizeBytes += Body.byteLength;
          Parts.push(await sendPart({ name, UploadId, PartNumber: Parts.length + 1, Body }));
        }
        await call(async ({ client, sdk, abortSignal }) => {
          const whole = { ...placeOf(name), UploadId, MultipartUpload: { Parts } };
          await client.send(new sdk.CompleteMultipartUploadCommand(whole), { abortSignal });
        });
      } catch (error) {
        await giveUp(placeOf(name).Key, UploadId).catch(() => {});
        throw error;
      }
      return { sizeBytes, sha256: hash.digest("hex") };
    },
    list: () =>
      listPages(
        (ContinuationToken, end) =>
          call(({ client, sdk, abortSignal }) => {
            const more = ContinuationToken === undefined ? {} : { ContinuationToken };
            const list = new sdk.ListObjectsV2Command({ Bucket, Prefix: prefix, MaxKeys: 200, ...more });
            return client.send(list, { abortSignal: AbortSignal.any([abortSignal, end]) });
          }),
        { prefix, limitMs: listMs },
      ),
    read: async (name) => {
      const sizeBytes = await sizeOf(name);
      if (sizeBytes === null) return null;
      const piece = (start: number) => {
        const end = Math.min(start + partBytes, sizeBytes) - 1;
        const mostBytes = Math.max(end - start + 1, errorBytes);
        return call(async ({ client, sdk, abortSignal }) => {
          const range = new sdk.GetObjectCommand({ ...placeOf(name), Range: `bytes=${start}-${end}` });
          const { Body } = await client.send(range, Object.assign({ abortSignal }, { mostBytes }));
          const content = (await Body?.transformToByteArray()) ?? new Uint8Array();
          if (content.byteLength !== end - start + 1) throw new BucketError("odd");
          return content;
        }, partBytes);
      };
      async function* bytes(): AsyncGenerator<Uint8Array> {
        for (let start = 0; start < (sizeBytes ?? 0); start += partBytes) yield await piece(start);
      }
      return { sizeBytes, bytes: bytes() };
    },
    remove: async (name) => {
      if ((await sizeOf(name)) === null) return false;
      await call(async ({ client, sdk, abortSignal }) => {
        await client.send(new sdk.DeleteObjectCommand(placeOf(name)), { abortSignal });
      });
      return true;
    },
    // A client that was never made has nothing to close, one that could not be made neither.
    close: () => void opening?.then((client) => client.destroy()).catch(() => {}),
  };
};

type Sdk = typeof import("@aws-sdk/client-s3");
type Work<T> = (given: { client: S3Client; sdk: Sdk; abortSignal: AbortSignal }) => Promise<T>;

// Room for an error's text where few bytes were asked for.
const errorBytes = 64 * 1024;

/** The same bytes in parts of one size; the last is what remains. There is always one. */
async function* inParts(bytes: AsyncIterable<Uint8Array>, partBytes: number): AsyncGenerator<Uint8Array> {
  let part = new Uint8Array(partBytes);
  let filled = 0;
  let isFirst = true;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.byteLength; ) {
      const taken = Math.min(partBytes - filled, chunk.byteLength - at);
      part.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < partBytes) continue;
      yield part;
      part = new Uint8Array(partBytes);
      filled = 0;
      isFirst = false;
    }
  }
  if (filled > 0 || isFirst) yield part.subarray(0, filled);
}

/** A file of a bucket; its name is what follows the prefix. */
type ListedFile = { name: string; sizeBytes: number };

/** A page of a list, as the S3 client reads it. */
type ListPage = {
  Contents?: { Key?: string | undefined; Size?: number | undefined }[] | undefined;
  IsTruncated?: boolean | undefined;
  NextContinuationToken?: string | undefined;
};

type ListBounds = { prefix: string; limitMs: number; mostPages?: number };

// Of 200 files each: a backup every hour for four years. A page is 256 kB at most, and what is kept of it less.
const defaultMostPages = 200;

/**
 * All files below a prefix, page after page, from a server that may never come to an end: within so many pages and so much
 * time, and no page twice. Throws a `BucketError` otherwise.
 */
const listPages = async (
  page: (token: string | undefined, end: AbortSignal) => Promise<ListPage>,
  { prefix, limitMs, mostPages = defaultMostPages }: ListBounds,
): Promise<ListedFile[]> => {
  const files: ListedFile[] = [];
  const seen = new Set<string>();
  const end = AbortSignal.timeout(limitMs);
  for (let token: string | undefined; ; ) {
    const { Contents = [], IsTruncated, NextContinuationToken: next } = await page(token, end);
    for (const { Key, Size } of Contents)
      if (Key?.startsWith(prefix)) files.push({ name: Key.slice(prefix.length), sizeBytes: Size ?? 0 });
    if (!IsTruncated || next === undefined) return files;
    if (seen.has(next) || seen.size + 1 >= mostPages) throw new BucketError("endless");
    if (end.aborted) throw new BucketError("slow");
    seen.add(next);
    token = next;
  }
};

import type { PutObjectCommandInput, S3Client } from "@aws-sdk/client-s3";
import { type Bucket, BucketError, type BucketFault } from "#api/core/objects.ts";
import type { BucketTarget } from "#api/core/settings.ts";
import { OutboundError } from "../outbound/check-address.ts";
import { connectS3, regionOf, type S3TransportOptions } from "./s3-transport.ts";

type S3BucketOptions = S3TransportOptions & {
  /** Origins accepted besides Cloudflare's. */
  otherOrigins: readonly string[];
  /** How often a call is tried: twice. */
  tries?: number;
  /** How long a call may take in all: 5 s, and more for large objects. */
  deadlineMs?: number;
};

const bytesPerMs = 250;
// Up to here a body travels in one piece: S3 takes parts of 5 MB and more.
const partBytes = 8 * 1024 * 1024;

/**
 * Opens a bucket; nothing is loaded or sent before it is used. Calls reject with a `BucketError`: also with `refused` when
 * the endpoint is not one that may be called.
 */
export const openS3Bucket = (
  target: BucketTarget,
  { otherOrigins, tries = 2, deadlineMs = 5_000, ...transport }: S3BucketOptions,
): Bucket => {
  let region = regionOf(target.endpoint);
  let opening: Promise<S3Client> | null = null;
  const underWay = new Set<AbortController>();
  const aws = once(() => import("@aws-sdk/client-s3"));

  const timeFor = (sizeBytes: number): number => deadlineMs + sizeBytes / bytesPerMs;

  const open = (): Promise<S3Client> => connectS3(target, { otherOrigins, region, tries, ...transport });

  const attempt = async <T>(limitMs: number, work: Work<T>): Promise<T> => {
    opening ??= open();
    const ending = new AbortController();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      ending.abort();
    }, limitMs);
    underWay.add(ending);
    try {
      return await work({ client: await opening, abortSignal: ending.signal });
    } catch (error) {
      if (isLate) throw new BucketError("slow");
      throw ending.signal.aborted ? new BucketError("unreachable") : error;
    } finally {
      clearTimeout(timer);
      underWay.delete(ending);
    }
  };

  /** Again when the server names the region that it wants requests to be signed for. */
  const call = async <T>(limitMs: number, work: Work<T>): Promise<T> => {
    try {
      return await attempt(limitMs, work).catch((error: unknown) => {
        const named = namedRegion(error);
        if (named === null || named === region) throw error;
        region = named;
        opening = null;
        return attempt(limitMs, work);
      });
    } catch (error) {
      throw new BucketError(bucketFaultOf(error));
    }
  };

  const remove = (name: string): Promise<void> =>
    call(deadlineMs, async ({ client, abortSignal }) => {
      const { DeleteObjectCommand } = await aws();
      await client.send(new DeleteObjectCommand({ Bucket: target.bucket, Key: name }), { abortSignal });
    });

  return {
    put: (name, bytes, { contentType, deadlineMs: limitMs = timeFor(bytes.byteLength) }) =>
      call(limitMs, async ({ client, abortSignal }) => {
        const place = { Bucket: target.bucket, Key: name, ContentType: contentType };
        const sdk = await aws();
        if (bytes.byteLength > partBytes)
          return putInParts({ sdk, client, abortSignal }, { place, bytes, partBytes });
        await client.send(new sdk.PutObjectCommand({ ...place, Body: bytes }), { abortSignal });
      }),
    get: (name, mostBytes) =>
      call(timeFor(mostBytes), async ({ client, abortSignal }) => {
        const { GetObjectCommand } = await aws();
        const options = { abortSignal, mostBytes: Math.max(mostBytes, errorBytes) };
        try {
          const wanted = new GetObjectCommand({ Bucket: target.bucket, Key: name });
          const { Body } = await client.send(wanted, options);
          const content = (await Body?.transformToByteArray()) ?? new Uint8Array();
          if (content.byteLength > mostBytes) throw new BucketError("large");
          return content;
        } catch (error) {
          if (isAbsent(error)) return null;
          throw error;
        }
      }),
    delete: remove,
    discard: async (name) => {
      await call(deadlineMs, async ({ client, abortSignal }) => {
        const { ListMultipartUploadsCommand, AbortMultipartUploadCommand } = await aws();
        const place = { Bucket: target.bucket };
        const list = new ListMultipartUploadsCommand({ ...place, Prefix: name });
        const { Uploads = [] } = await client.send(list, { abortSignal });
        for (const { Key, UploadId } of Uploads) {
          if (Key !== name || UploadId === undefined) continue;
          await client.send(new AbortMultipartUploadCommand({ ...place, Key, UploadId }), { abortSignal });
        }
      });
      await remove(name);
    },
    close: () => {
      for (const ending of underWay) ending.abort();
      // A client that was never made has nothing to close, one that could not be made neither.
      void opening?.then((client) => client.destroy()).catch(() => {});
    },
  };
};

type Work<T> = (given: { client: S3Client; abortSignal: AbortSignal }) => Promise<T>;

// Room for an error's text where a small object was asked for.
const errorBytes = 64 * 1024;

const isAbsent = (error: unknown): boolean =>
  statusOf(error) === 404 && Reflect.get(Object(error), "name") === "NoSuchKey";

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

type Sdk = typeof import("@aws-sdk/client-s3");
type Sender = { sdk: Sdk; client: S3Client; abortSignal: AbortSignal };
type Upload = {
  place: Pick<PutObjectCommandInput, "Bucket" | "Key" | "ContentType">;
  bytes: Uint8Array;
  partBytes: number;
};

/** Stores an object in parts, one after the other. What was sent of one that fails is given up. */
const putInParts = async (
  { sdk, client, abortSignal }: Sender,
  { place, bytes, partBytes }: Upload,
): Promise<void> => {
  const { Bucket, Key } = place;
  const { UploadId } = await client.send(new sdk.CreateMultipartUploadCommand(place), { abortSignal });
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    for (let start = 0; start < bytes.byteLength; start += partBytes) {
      const PartNumber = Parts.length + 1;
      const Body = bytes.subarray(start, start + partBytes);
      const part = new sdk.UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body });
      const { ETag } = await client.send(part, { abortSignal });
      Parts.push({ ETag, PartNumber });
    }
    const whole = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
    await client.send(new sdk.CompleteMultipartUploadCommand(whole), { abortSignal });
  } catch (error) {
    const give = new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId });
    // What stays is removed with the name, later: the caller has recorded it.
    await client.send(give, { abortSignal: AbortSignal.timeout(2_000) }).catch(() => {});
    throw error;
  }
};

/** What a failure of the S3 client, of the network or of TLS means. The error itself may hold keys and foreign words. */
export const bucketFaultOf = (error: unknown): BucketFault => {
  if (error instanceof BucketError) return error.fault;
  if (error instanceof OutboundError) return "refused";
  const named = codesOf(error)
    .map((code) => faultOfCode[code] ?? (tlsCode.test(code) ? "certificate" : undefined))
    .find((fault) => fault !== undefined);
  return named ?? faultOfStatus(statusOf(error));
};

/** The region that a server names when it was asked with another one, or `null`. */
export const namedRegion = (error: unknown): string | null => {
  const region: unknown = Reflect.get(Object(error), "Region");
  return typeof region === "string" && /^[A-Za-z0-9-]{1,40}$/.test(region) ? region : null;
};

/** Status of the answer that an error of the client stands for, or `null` when there was none. */
export const statusOf = (error: unknown): number | null => {
  const status: unknown = Reflect.get(Object(Reflect.get(Object(error), "$metadata")), "httpStatusCode");
  return typeof status === "number" ? status : null;
};

// Servers send the code as `Code`, the client puts it into `name`, and system errors have a `code`.
const codesOf = (error: unknown): string[] =>
  ["name", "Code", "code"]
    .map((field): unknown => Reflect.get(Object(error), field))
    .filter((code) => typeof code === "string");

const faultOfCode: Partial<Record<string, BucketFault>> = {
  InvalidAccessKeyId: "unknownKey",
  SignatureDoesNotMatch: "signature",
  AccessDenied: "denied",
  Unauthorized: "denied",
  NoSuchBucket: "noBucket",
  InvalidBucketName: "noBucket",
  AuthorizationHeaderMalformed: "region",
  PermanentRedirect: "redirect",
  TemporaryRedirect: "redirect",
  RequestTimeTooSkewed: "clock",
  RequestExpired: "clock",
  QuotaExceeded: "full",
  EntityTooLarge: "full",
  SlowDown: "broken",
  InternalError: "broken",
  ServiceUnavailable: "broken",
  ENOTFOUND: "unknownHost",
  EAI_AGAIN: "unknownHost",
  ENODATA: "unknownHost",
  DNS_ENOTFOUND: "unknownHost",
  ECONNREFUSED: "closed",
  ConnectionRefused: "closed",
  ECONNRESET: "unreachable",
  ConnectionClosed: "unreachable",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EPIPE: "unreachable",
  EPROTO: "certificate",
  ETIMEDOUT: "slow",
  AbortError: "slow",
  TimeoutError: "slow",
};

// What TLS calls its failures: expired, self-signed, of unknown issuer, for another name.
const tlsCode = /CERT|^UNABLE_TO_|^ERR_(?:TLS|SSL)_/;

const faultOfStatus = (status: number | null): BucketFault => {
  if (status === 401 || status === 403) return "denied";
  if (status === 507) return "full";
  return status !== null && status >= 500 ? "broken" : "odd";
};

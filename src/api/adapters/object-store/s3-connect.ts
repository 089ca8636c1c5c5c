import type { S3Client } from "@aws-sdk/client-s3";
import type { BucketTarget } from "#api/core/settings.ts";
import { isR2Endpoint } from "#contract/credential-rules.ts";
import { checkEndpoint } from "./check-endpoint.ts";
import { createS3Transport, type S3TransportOptions } from "./s3-transport.ts";

export type S3ConnectOptions = S3TransportOptions & {
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

import type { BucketTarget } from "#api/core/settings.ts";

/** Origin and name of a bucket: what the catalogue knows it by. */
export const bucketIdOf = (target: BucketTarget): string => `${bucketOriginOf(target)}/${target.bucket}`;

/** Where the bucket's server is. */
export const bucketOriginOf = ({ endpoint }: BucketTarget): string =>
  endpoint.replace(/\/$/, "").toLowerCase();

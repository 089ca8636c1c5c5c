import { BucketError } from "#api/core/bucket-error.ts";

/** A file of a bucket; its name is what follows the prefix. */
export type ListedFile = { name: string; sizeBytes: number };

/** A page of a list, as the S3 client reads it. */
export type ListPage = {
  Contents?: { Key?: string | undefined; Size?: number | undefined }[] | undefined;
  IsTruncated?: boolean | undefined;
  NextContinuationToken?: string | undefined;
};

export type ListBounds = { prefix: string; limitMs: number; mostPages?: number };

// Of 200 files each: a backup every hour for four years. A page is 256 kB at most, and what is kept of it less.
const defaultMostPages = 200;

/**
 * All files below a prefix, page after page, from a server that may never come to an end: within so many pages and so much
 * time, and no page twice. Throws a `BucketError` otherwise.
 */
export const listPages = async (
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

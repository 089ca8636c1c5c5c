/**
 * A bucket of an S3-compatible server. Each call ends within its time and rejects with a `BucketError` when it came to
 * nothing. Names are used as they are.
 */
export type Bucket = {
  put(name: string, bytes: Uint8Array, options: PutOptions): Promise<void>;
  /** The content, or `null` when there is none. More than `mostBytes` is not read. */
  get(name: string, mostBytes: number): Promise<Uint8Array | null>;
  /** Removes what is there, if anything. */
  delete(name: string): Promise<void>;
  /** Removes what is there, and what an interrupted `put` may have left. */
  discard(name: string): Promise<void>;
  /** Ends the calls under way. */
  close(): void;
};

/** `deadlineMs` ends the whole call; by default the time grows with the size. */
export type PutOptions = { contentType: string; deadlineMs?: number };

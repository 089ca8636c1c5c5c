import { type Bucket, BucketError, type BucketFault } from "#api/core/objects.ts";

/** What a test may do to a bucket besides using it. */
export type MemoryBucket = Bucket & {
  /** Contents by name. */
  objects: Map<string, Uint8Array>;
  calls: string[];
  /** What each call fails with; `null` is that it works. */
  fault: BucketFault | null;
  /** Is called before each call, which waits for it and fails with it. */
  before: (call: string, name: string) => Promise<void> | void;
};

/** A bucket in memory, as the object store sees one. */
export const createMemoryBucket = (): MemoryBucket => {
  const objects = new Map<string, Uint8Array>();
  const enter = async (call: string, name: string): Promise<void> => {
    bucket.calls.push(call);
    await bucket.before(call, name);
    if (bucket.fault !== null) throw new BucketError(bucket.fault);
  };
  const remove = async (name: string): Promise<void> => {
    await enter("delete", name);
    objects.delete(name);
  };
  const bucket: MemoryBucket = {
    objects,
    calls: [],
    fault: null,
    before: () => {},
    put: async (name, bytes) => {
      await enter("put", name);
      objects.set(name, bytes.slice());
    },
    get: async (name, mostBytes) => {
      await enter("get", name);
      const bytes = objects.get(name);
      if (bytes !== undefined && bytes.byteLength > mostBytes) throw new BucketError("large");
      return bytes?.slice() ?? null;
    },
    delete: remove,
    discard: remove,
    close: () => {},
  };
  return bucket;
};

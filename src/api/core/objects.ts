import type { StorageState } from "#contract/settings.ts";

/** What is known of a stored object without reading it. `digest` is its SHA-256 in hexadecimal digits. */
export type ObjectEntry = {
  key: string;
  sizeBytes: number;
  digest: string;
  contentType: string;
  createdAt: Date;
};

/**
 * Where the application keeps files such as packages, exports and backups, whichever home they have at the moment. Keys
 * are paths of at most 500 characters, such as `packages/firewall/1.2.0.zip`; another key throws an `Error`.
 */
export type ObjectStore = {
  /** Stores the content under the key, in the place of what was there; resolves when it is safe. */
  put(key: string, bytes: Uint8Array, options: { contentType: string }): Promise<void>;
  /**
   * The content, exactly as it was put, or `null` when there is none. Throws `STORAGE_UNAVAILABLE` when it lies in a
   * bucket that is away, and `INTERNAL` when what lies there is not what was put.
   */
  get(key: string): Promise<Uint8Array | null>;
  /** Removes the object if there is one. */
  delete(key: string): Promise<void>;
  /** All objects whose keys begin with `prefix`, in the order of their keys. */
  list(prefix: string): Promise<ObjectEntry[]>;
  state(): Promise<StorageState>;
};

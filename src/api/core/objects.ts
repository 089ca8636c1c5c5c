import { type StorageState, settingsTexts } from "#contract/settings.ts";

/** What is known of a stored object without reading it. `digest` is its SHA-256 in hexadecimal digits. */
type ObjectEntry = {
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

/**
 * A bucket of an S3-compatible server. Each call ends within its time and rejects with a `BucketError` when it came to
 * nothing. Names are used as they are.
 */
export type Bucket = {
  put(name: string, bytes: Uint8Array, options: PutOptions): Promise<void>;
  /** The content, or `null` when there is none. More than `mostBytes` is not read. */
  get(name: string, mostBytes: number): Promise<Uint8Array | null>;
  /** Removes the object, if there is one. */
  delete(name: string): Promise<void>;
  /** Removes the object, and what an interrupted `put` may have left. */
  discard(name: string): Promise<void>;
  /** Ends the calls under way. */
  close(): void;
};

/** `deadlineMs` ends the whole call; by default the time grows with the size. */
type PutOptions = { contentType: string; deadlineMs?: number };

/** Why a bucket could not be used, and what to do about it: fixed words, so that nothing of an answer is repeated. */
export const bucketFaults = {
  refused: {
    reason: settingsTexts.addressRefused,
    remedy: "Use Cloudflare R2, or an origin that the operator lists in S3_ENDPOINTS.",
  },
  unknownHost: {
    reason: "the host name is not known",
    remedy: "Check the spelling of the endpoint, and whether this server can resolve host names.",
  },
  closed: {
    reason: "nothing answers at that address",
    remedy: "Check the endpoint and its port, and whether the storage server is running.",
  },
  unreachable: {
    reason: "the connection failed",
    remedy: "Check the network and the firewalls between this server and the storage.",
  },
  slow: {
    reason: "there was no response in time",
    remedy: "Check the network and the firewalls between this server and the storage.",
  },
  certificate: {
    reason: "this server does not trust its certificate",
    remedy: "Use the host name in the certificate, and a certificate from a trusted authority.",
  },
  redirect: {
    reason: "it answered with a redirect, which is not followed",
    remedy: "Use the endpoint of the region that the bucket is in.",
  },
  large: {
    reason: "its response is too large",
    remedy: "Check that the endpoint is an object storage server.",
  },
  unknownKey: {
    reason: "the storage does not know the access key ID",
    remedy: "Enter the Access Key ID of a token that is valid for this account.",
  },
  signature: {
    reason: "the access key ID and the secret access key do not match",
    remedy: "Enter both again, as shown when the token was created.",
  },
  denied: {
    reason: "the keys do not allow this",
    remedy: "Give the token permission to read and write objects in this bucket.",
  },
  noBucket: {
    reason: "there is no bucket of that name",
    remedy: "Check the bucket's name, or create it first.",
  },
  region: {
    reason: "the bucket is in another region",
    remedy: "Use the endpoint of the region that the bucket is in.",
  },
  clock: {
    reason: "this server's clock differs too much from the storage's",
    remedy: "Set this server's clock, for example with NTP.",
  },
  full: {
    reason: "the storage does not accept more data",
    remedy: "Free space there, or raise the quota.",
  },
  broken: {
    reason: "the storage server failed",
    remedy: "Try again later; look at the provider's status page.",
  },
  endless: {
    reason: "its list of files does not end",
    remedy: "Check that the endpoint is an object storage server, and keep only backups below backups/.",
  },
  odd: {
    reason: "it does not answer as object storage does",
    remedy: "Check that the endpoint is an S3-compatible storage server.",
  },
} as const;

export type BucketFault = keyof typeof bucketFaults;

/** A call to a bucket that came to nothing; its message says of what kind the failure is and no more. */
export class BucketError extends Error {
  readonly fault: BucketFault;

  constructor(fault: BucketFault) {
    super(bucketFaults[fault].reason);
    this.name = "BucketError";
    this.fault = fault;
  }
}

/** Free disk space of the data folder; `freeBytes` is `null` where the file system does not report it. */
type DiskState = {
  freeBytes: number | null;
  /** Less is left than the embedded database may need to finish what it has begun: it refuses writes then. */
  isLow: boolean;
};

/** The free disk space of the data folder, at most a second old. */
export type DiskProbe = { read(): DiskState };

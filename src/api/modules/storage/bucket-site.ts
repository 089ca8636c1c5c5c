import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import { type Bucket, BucketError } from "#api/core/objects.ts";

/** How a bucket is doing, as this process sees it. */
export type SiteHealth = { state: "connecting" | "up" | "away"; since: Date; reason: string | null };

/** A bucket with what is known of its health. */
export type BucketSite = {
  /** Origin and name. */
  id: string;
  origin: string;
  readonly health: SiteHealth;
  /** Runs `work` on the bucket; its failure, unless `isTelling` is false, counts as the bucket's. */
  use<T>(work: (bucket: Bucket) => Promise<T>, isTelling?: boolean): Promise<T>;
  /** Whether it is there and writable, within two seconds; asked once at a time. */
  ping(): Promise<boolean>;
  /** Whether it is time to ask. */
  isDoubtful(): boolean;
  close(): void;
};

export type BucketSiteParts = {
  id: string;
  origin: string;
  bucket: Bucket;
  clock: Clock;
  log: Log;
  /** Name of the object that a ping writes. */
  pingName: () => Promise<string>;
  /** Is called when the bucket has answered a ping, before anything else is put into it. */
  onAnswer: () => Promise<void>;
};

const pingMs = 2_000;
// What is up and quiet is asked now and then, so that admins see that it went away.
const quietMs = 60_000;

/** Makes a site of which nothing is known yet. */
export const createBucketSite = (parts: BucketSiteParts): BucketSite => {
  const { id, origin, bucket, clock, log, pingName, onAnswer } = parts;
  let health: SiteHealth = { state: "connecting", since: clock.now(), reason: null };
  let answeredAtMs = Number.NEGATIVE_INFINITY;
  let isInDoubt = false;
  let asking: Promise<boolean> | null = null;

  const succeed = (): void => {
    answeredAtMs = clock.uptimeMs();
    if (health.state === "away") log.info("the object storage is back", { bucket: id });
    if (health.state !== "up") health = { state: "up", since: clock.now(), reason: null };
  };

  const fail = ({ fault, message }: BucketError): void => {
    if (health.state !== "away") log.warn("the object storage is away", { bucket: id, reason: message });
    if (health.state !== "away" || health.reason !== message)
      health = { state: "away", since: clock.now(), reason: message };
    isInDoubt = fault === "slow";
  };

  const use = async <T>(work: (bucket: Bucket) => Promise<T>, isTelling = true): Promise<T> => {
    try {
      const result = await work(bucket);
      // Only a ping makes a bucket usable: it has seen to all that has to be there first.
      if (health.state === "up") answeredAtMs = clock.uptimeMs();
      return result;
    } catch (error) {
      if (error instanceof BucketError) {
        if (isTelling) fail(error);
        else isInDoubt = true;
      }
      throw error;
    }
  };

  const ask = async (): Promise<boolean> => {
    isInDoubt = false;
    try {
      const name = await pingName();
      await bucket.put(name, new TextEncoder().encode("Atrium\n"), {
        contentType: "text/plain",
        deadlineMs: pingMs,
      });
    } catch (error) {
      if (!(error instanceof BucketError)) throw error;
      fail(error);
      return false;
    }
    await onAnswer();
    succeed();
    return true;
  };

  return {
    id,
    origin,
    get health() {
      return health;
    },
    use,
    ping: () => {
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
    isDoubtful: () => health.state !== "up" || isInDoubt || clock.uptimeMs() - answeredAtMs >= quietMs,
    close: () => bucket.close(),
  };
};

import type { AccountSettings, CoreSettings } from "#contract/core-settings.ts";
import type { FirewallStatus, ServiceState, StorageState, TestStep } from "#contract/settings.ts";

/** A Redis server to use. `url` has no password in it. */
export type RedisTarget = { url: string; password: string | null };

/** A bucket with everything needed to use it. `token` is only for Cloudflare's own API. */
export type BucketTarget = {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  token: string | null;
};

/** All settings at one moment. Never changed in place. */
export type LiveSettings = {
  /** Number of the newest change; 0 before the first. */
  generation: number;
  core: CoreSettings;
  accounts: AccountSettings;
  /** `null`: no Redis. */
  redis: (RedisTarget & { source: "settings" | "environment" }) | null;
  /** `null`: none, or incomplete. */
  bucket: BucketTarget | null;
  /** Endpoints of saved services that can't be used because a stored secret can't be decrypted. */
  locked: { redis: string | null; bucket: string | null };
};

/** The settings as this process knows them: at most a second behind other replicas. */
export type SettingsService = {
  readonly current: LiveSettings;
  /** Reads the stored settings again; resolves when listeners have been called. Throws `DB_UNAVAILABLE`. */
  refresh(): Promise<void>;
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  subscribe(listener: (settings: LiveSettings) => void): () => void;
};

/** Reports on the firewall, installed or not. Never throws: an unreachable firewall counts as disabled. */
export type FirewallProbe = { status(): FirewallStatus };

/** The result of a connection test: its steps in order, and a sentence that sums it up. */
export type ConnectionReport = { isWorking: boolean; summary: string; details: string; steps: TestStep[] };

/** Tests the connection to external services, within five seconds each. Reports failures instead of throwing. */
export type ConnectionTests = {
  redis(target: RedisTarget): Promise<ConnectionReport>;
  bucket(target: BucketTarget): Promise<ConnectionReport>;
  rateLimiter(): Promise<ConnectionReport>;
};

/** The state of the external services, as this process sees it. */
export type ServiceStates = { redis(): ServiceState; storage(): Promise<StorageState> };

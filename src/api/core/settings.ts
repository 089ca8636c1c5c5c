import type { AccountSettings, CoreSettings } from "#contract/core-settings.ts";
import type { FirewallStatus, ServiceState, StorageState, TestStep } from "#contract/settings.ts";

/** A Redis server to use. `url` has no password in it. */
export type RedisTarget = { url: string; password: string | null };

/** A bucket to use, with everything that is needed to use it. `token` is for Cloudflare's own API alone. */
export type BucketTarget = {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  token: string | null;
};

/** Everything that admins set, as it holds at one moment; never changed in place. */
export type LiveSettings = {
  /** Number of the newest change; 0 when nobody has changed anything. */
  generation: number;
  core: CoreSettings;
  accounts: AccountSettings;
  /** `null`: no Redis. */
  redis: (RedisTarget & { source: "settings" | "environment" }) | null;
  /** `null`: none, or not all of what is needed. */
  bucket: BucketTarget | null;
  /** Endpoints of services that are saved but cannot be used, because a stored secret of theirs does not open. */
  locked: { redis: string | null; bucket: string | null };
};

/** The settings as this process knows them: at most a second behind what another replica saved. */
export type SettingsService = {
  readonly current: LiveSettings;
  /** Reads anew what is stored; resolves when listeners have been called. Throws `DB_UNAVAILABLE`. */
  refresh(): Promise<void>;
  /** Calls `listener` after each change; returns the way to stop. */
  subscribe(listener: (settings: LiveSettings) => void): () => void;
};

/** The firewall, whether or not it is installed. Never throws: what cannot be asked counts as disabled. */
export type FirewallProbe = { status(): FirewallStatus };

/** What a connection test found: all steps in order, and in a sentence what it comes to. */
export type ConnectionReport = { isWorking: boolean; summary: string; details: string; steps: TestStep[] };

/** Tries external services for real, within five seconds each; reports, and throws nothing. */
export type ConnectionTests = {
  redis(target: RedisTarget): Promise<ConnectionReport>;
  bucket(target: BucketTarget): Promise<ConnectionReport>;
  rateLimiter(): Promise<ConnectionReport>;
};

/** How the external services are doing, as this process sees it. */
export type ServiceStates = { redis(): ServiceState; storage(): Promise<StorageState> };

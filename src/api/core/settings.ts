import type { AccountSettings, CoreSettings } from "#contract/core-settings.ts";
import type { CredentialSettings, SecretName } from "#contract/credential-settings.ts";
import type { OpenOf } from "#contract/define-settings.ts";
import type { FeatureRows } from "#contract/feature-settings.ts";
import type { ProviderSettings } from "#contract/provider-settings.ts";
import type { FirewallStatus, ServiceState, StorageState, TestStep } from "#contract/settings.ts";
import type { SiteSettings } from "#contract/site-settings.ts";
import type { OidcProvider } from "./providers.ts";

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

/** An OpenID provider to try, and where it sends browsers back to. */
export type ProviderTarget = OidcProvider & { redirectUri: string };

/** The sign-in providers that admins have added, by their ids. */
export type AddedProviders = Readonly<Record<string, ProviderSettings>>;

/** The stored plain values, by section; of services all but their secrets. */
export type Sections = {
  core: CoreSettings;
  accounts: AccountSettings;
  site: SiteSettings;
  providers: AddedProviders;
} & OpenOf<CredentialSettings>;

/** Something stored that can't be used: a section, or a secret. */
export type SettingFault = { setting: string; fault: string };

/** A stored secret; `value` is `null` if it can't be opened. */
type StoredSecret = { value: string | null };

/** All stored settings, in one snapshot; `secrets` has no entry for what is not stored. */
export type StoredSettings = Sections & {
  generation: number;
  secrets: Partial<Record<SecretName, StoredSecret>>;
  /** The client secrets of sign-in providers, by their ids. */
  clientSecrets: Readonly<Record<string, StoredSecret>>;
  features: FeatureRows;
  faults: SettingFault[];
};

/** All settings at one moment. Never changed in place. */
export type LiveSettings = {
  /** Number of the newest change; 0 before the first. */
  generation: number;
  core: CoreSettings;
  accounts: AccountSettings;
  site: SiteSettings;
  /** What `SITE_FILE` sets of the site, and no one else can. */
  fixedSite: Readonly<Partial<SiteSettings>>;
  /** `null`: no Redis. */
  redis: (RedisTarget & { source: "settings" | "environment" }) | null;
  /** `null`: none, or incomplete. */
  bucket: BucketTarget | null;
  /** Sign-in providers that admins have added and not switched off, complete, in the order of their ids. */
  providers: readonly OidcProvider[];
  /** The settings of own features: see `settingsOf`. */
  features: FeatureRows;
  /** Endpoints of saved services that can't be used because a stored secret can't be decrypted. */
  locked: { redis: string | null; bucket: string | null };
};

/** A part of the settings that others follow. */
type SettingsPart = Exclude<keyof LiveSettings, "generation">;

/** What the site is called, and what `SITE_FILE` sets of that. */
type CalledSite = Pick<LiveSettings, "site" | "fixedSite">;

/** A copy of what the site is called beside the database; `keep` throws where it can't be written. */
export type SiteCache = { readonly kept: CalledSite; keep(site: CalledSite): void };

/** The settings as this process knows them: at most a second behind other replicas. */
export type SettingsService = {
  readonly current: LiveSettings;
  /** Reads the stored settings again; resolves when listeners have been called. Throws `DB_UNAVAILABLE`. */
  refresh(): Promise<void>;
  /**
   * Applies what this process has just stored without reading it, unless newer settings apply already; listeners have been called
   * when it returns. Never throws.
   */
  use(stored: StoredSettings): void;
  /** The pages that can be the home page instead of the landing page; `null` where no build tells. */
  homePages?(): readonly string[] | null;
  /** Calls `listener` after each change of one of these parts. Returns a function that unsubscribes. */
  subscribe(parts: readonly SettingsPart[], listener: (settings: LiveSettings) => void): () => void;
};

/** Whether a home page is the path of a page that is no longer in the build. */
export const isHomeGone = (
  home: unknown,
  { homePages }: Pick<SettingsService, "homePages">,
): home is string =>
  typeof home === "string" && home.trim().startsWith("/") && homePages?.()?.includes(home.trim()) === false;

/** Reports on the firewall, installed or not. Never throws: an unreachable firewall counts as disabled. */
export type FirewallProbe = {
  status(): FirewallStatus;
  /** What it decides instead of the core's settings; `null` while it is not running. */
  readonly manager: { readonly isManaging: boolean; readonly isCounting: boolean } | null;
};

/** The result of a connection test: its steps in order, and a sentence that sums it up. */
export type ConnectionReport = { isWorking: boolean; summary: string; details: string; steps: TestStep[] };

/** Tests the connection to external services, within five seconds each. Reports failures instead of throwing. */
export type ConnectionTests = {
  redis(target: RedisTarget): Promise<ConnectionReport>;
  bucket(target: BucketTarget): Promise<ConnectionReport>;
  rateLimiter(): Promise<ConnectionReport>;
  provider(target: ProviderTarget): Promise<ConnectionReport>;
};

/** The state of the external services, as this process sees it. */
export type ServiceStates = { redis(): ServiceState; storage(): Promise<StorageState> };

import type { PatternTest } from "#contract/json-schema.ts";
import type { Manifest } from "#contract/plugin-manifest.ts";
import type {
  Permission,
  PluginLogLine,
  PluginReplica,
  PluginSignature,
  PluginState,
  PluginTier,
  TrustedKey,
} from "#contract/plugins.ts";
import type { AdminPanel } from "#plugins/sdk/types.ts";
import type { AppError } from "./app-error.ts";

/** A package that was read and verified; its files are usable, whether or not it may be enabled here. */
export type VerifiedPackage = {
  manifest: Manifest;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  sha256: string;
  sizeBytes: number;
  files: number;
  signature: PluginSignature;
  tier: PluginTier;
  /** Whether it is what an earlier release of Atrium shipped. */
  isFormer: boolean;
  /** Why it may not be enabled here, in a sentence; `null` when it may. */
  distrust: string | null;
};

/** What the trust in a package depends on besides its bytes: the keys that count, revoked ones among them. */
type TrustFacts = {
  keys: TrustedKey[];
  /** When it was stored here: a key that expired since then counts for it still. Not for what just comes. */
  storedAt?: Date;
};

/** A publisher's key as it was read: its id and its raw bytes in base64, or what is wrong with it. */
export type ReadKey = { keyId: string; publicKey: string } | { problem: string };

/** The current state of a plugin on this server. */
export type ObservedPlugin = Omit<PluginReplica, "seenAt"> & {
  name: string;
  /** As the running plugin says, over its manifest; `null` while it does not run. */
  adminPanel: AdminPanel | null;
  routes: { method: string; path: string; access: string; summary: string | null }[];
  jobs: { name: string; everyMs: number }[];
};

/**
 * A version to be tried before it is installed; it may not be stored yet. `objectKey` is `null` for one that is part
 * of the executable.
 */
export type Candidate = {
  name: string;
  version: string;
  sha256: string;
  objectKey: string | null;
  /** When it was stored here; not for one that just came. */
  storedAt?: Date | null;
  granted: Permission[];
  migrateFrom: string | null;
};

/** A version that runs beside the installed one. */
export type Trial = {
  /**
   * Called before the change commits: from then on this server takes it for the one in force as soon as that is what is
   * stored, and starts no other of it.
   */
  keep(): void;
  /** Ends it; also after `keep`, when the change did not commit. */
  discard(): Promise<void>;
};

/** The plugins of this server, as operations see them: see `plugin-host/`. */
export type PluginService = {
  /**
   * Reads and verifies a package; nothing of it runs, nothing is stored. Throws `PLUGIN_INVALID` with one entry per
   * problem; its `data` says `{signature: "modified" | "invalid" | …, plugin: name}` where it is the signature that is wrong.
   */
  read(bytes: Uint8Array, trust: TrustFacts): Promise<VerifiedPackage>;
  /** Reads a public key in base64; one that would accept forged signatures is a problem. */
  readKey(publicKey: string): ReadKey;
  /** Makes a test of a stranger's pattern, of linear time; throws when it is none, or too much. */
  compilePattern(pattern: string): PatternTest;
  /** Starts a version beside the installed one: setup and `migrate`. Throws `PLUGIN_START_FAILED` with the reason. */
  try(candidate: Candidate): Promise<Trial>;
  /**
   * Brings this server to what is stored; resolves when the named plugins have settled (running, failed, off). A database that
   * does not tell in time is asked again later, and nothing is waited for.
   */
  converge(names: string[]): Promise<void>;
  /** The state of a plugin here; disabled when it is unknown. */
  observe(name: string): ObservedPlugin;
  /** All that are known here. */
  states(): { name: string; state: PluginState }[];
  /** Newest last; `after` is the id of the last line that is known. */
  logs(name: string, after: number): PluginLogLine[];
  /** Adds to a plugin's log. */
  log(name: string, level: PluginLogLine["level"], message: string): void;
  /** The keys that the operator pinned. */
  readonly pinnedKeys: TrustedKey[];
  readonly allowUnsigned: boolean;
  readonly allowNative: boolean;
  /** How much each plugin may keep. */
  readonly quotaBytes: number;
  /** Plugins that are part of the executable, with their packages' bytes. */
  readonly bundled: readonly BundledPlugin[];
  /** All plugins are off because the server was started that way. */
  readonly isSafeMode: boolean;
  readonly replica: string;
  /** The failure to answer with while a plugin does not run. */
  unavailable(name: string): AppError;
};

/** A plugin that is part of the executable. */
export type BundledPlugin = {
  name: string;
  version: string;
  /** Read from its JSON when it is first asked for. */
  readonly manifest: Manifest;
  isCore: boolean;
  isEnabledAtFirst: boolean;
  /** Hashes of what it consisted of in earlier releases. */
  released: readonly string[];
  packed(): Promise<Uint8Array>;
};

import type { ActivityEntry } from "#api/core/activity.ts";
import type { Clock } from "#api/core/clock.ts";
import type { Log } from "#api/core/log.ts";
import type { PluginState } from "#contract/plugins.ts";
import type { DesiredPlugin } from "./host-store.ts";
import type { PluginInstance } from "./plugin-instance.ts";
import type { PluginLogs } from "./plugin-logs.ts";
import type { PluginDoor } from "./runtime.ts";
import type { PluginStarter } from "./start-plugin.ts";

/** How a plugin stands here at this moment. */
export type Standing = {
  state: PluginState;
  version: string;
  generation: number;
  error: string | null;
  instance: PluginInstance | null;
};

/** Why a plugin has to be switched off for all servers; `generation` is what was wanted of it. */
export type Quarantine = { name: string; generation: number; entry: ActivityEntry & { description: string } };

/** Looks after one plugin on this server. */
export type Supervisor = {
  /** Takes in what is wanted of it by now, `null` when it was removed. `trust` changes with the keys that count. */
  reach(wanted: DesiredPlugin | null, trust: string): void;
  /** Resolves when what was taken in so far has been done, or has failed. */
  settled(): Promise<void>;
  /** Has an instance that was started beside it be the next one, if it runs as is wanted then. */
  offer(instance: PluginInstance): void;
  standing(): Standing;
  checkHealth(): Promise<void>;
  /** It failed at a request, which went on without it: told once a minute, and nothing more, for anyone can bring it about. */
  failedRequest(reason: string): void;
  /** Ends what runs of it: the server stops. */
  end(): Promise<void>;
};

export type SupervisorParts = {
  clock: Clock;
  log: Log;
  logs: PluginLogs;
  doors: readonly PluginDoor[];
  starter: PluginStarter;
  /** Lets a few starts through at once. */
  turn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Resolves when those plugins have settled, or after a while. */
  waitFor: (names: readonly string[]) => Promise<void>;
  note: (entry: ActivityEntry) => void;
  /** Switches it off for all servers. Rejects when that cannot be stored. */
  quarantine: (quarantine: Quarantine) => Promise<void>;
  /** Tells admins by email that it keeps failing. */
  warnAdmins: (name: string, reason: string) => void;
  /** Its standing is another one. */
  changed: (name: string, state: PluginState) => void;
};

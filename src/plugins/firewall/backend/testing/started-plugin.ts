import type { TeardownReason } from "#plugins/sdk/types.ts";
import { createPlugin, type PluginParts } from "../create-plugin.ts";
import { createFakeHost, type FakeHost, type SharedSettings } from "./fake-ctx.ts";
import { makeFakeEngine } from "./fake-engine.ts";
import type { FakeKv } from "./fake-kv.ts";

/** The plugin on a host in memory, with a clock that stands still. */
export type StartedPlugin = FakeHost & {
  /** Moves the clock, and does what is due at its end. */
  advance(ms: number): Promise<void>;
  /** The server ends, unless told otherwise. */
  stop(reason?: TeardownReason): Promise<void>;
};

/** A clock that replicas may share. */
type TestClock = { nowMs: number };

type Options = Partial<Pick<PluginParts, "makeEngine" | "pause" | "patterns">> & {
  clock?: TestClock;
  kv?: FakeKv;
  shared?: SharedSettings;
  replica?: string;
  knowsCountries?: boolean;
  routes?: NonNullable<Parameters<typeof createFakeHost>[0]["routes"]>;
};

export const patterns = [
  { id: 1, title: "Says attack", category: "code-injection", paranoia: 1, severity: "critical" },
  { id: 2, title: "Says odd", category: "code-injection", paranoia: 2, severity: "low" },
] as const;

/** Starts it. */
export const startPlugin = async ({
  clock = { nowMs: Date.parse("2030-01-01T00:00:00Z") },
  makeEngine = makeFakeEngine,
  pause = async () => {},
  patterns: known = patterns,
  ...rest
}: Options = {}): Promise<StartedPlugin> => {
  const now = () => clock.nowMs;
  const host = createFakeHost({ now, ...rest });
  let beat = async (): Promise<void> => {};
  const plugin = createPlugin({
    ...{ makeEngine, patterns: known, now, pause },
    every: (_ms, work) => {
      beat = work;
      return () => {
        beat = async () => {};
      };
    },
  });
  await plugin.setup(host.ctx);
  return {
    ...host,
    advance: async (ms) => {
      clock.nowMs += ms;
      // Each kind of work is due within five minutes of beats.
      for (let second = 0; second < 300; second += 1) await beat();
    },
    stop: async (reason = "shutdown") => plugin.teardown?.(reason),
  };
};

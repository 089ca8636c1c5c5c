import type {
  PluginProgram,
  PluginRuntime,
  Registration,
  RuntimeHost,
  StartRuntime,
} from "#api/plugin-host/runtime.ts";
import type { Health, Json, TeardownReason } from "#plugins/sdk/types.ts";

/** One start of a program, and the ways to have it fail. */
type FakeRun = {
  program: PluginProgram;
  host: RuntimeHost;
  settings: Readonly<Record<string, Json>>[];
  migratedFrom: string[];
  stopped: TeardownReason | null;
};

/** Plugins without code: what they register and how they behave is what a test says. */
export type FakeRuntimes = {
  start: StartRuntime;
  /** All starts that came to something, oldest first. */
  runs: FakeRun[];
  /** The newest one. */
  last(): FakeRun;
  behave(next: Partial<FakeBehaviour>): void;
};

type FakeBehaviour = {
  /** Is awaited by each start: what it rejects with, the start does. */
  setup: (program: PluginProgram, host: RuntimeHost) => Promise<void>;
  registration: Partial<Registration>;
  invoke: (handler: string, payload: Json) => Promise<Json | undefined>;
  health: () => Promise<Health>;
  migrate: () => Promise<void>;
};

/** Begins with plugins that start at once and are well. */
export const createFakeRuntimes = (): FakeRuntimes => {
  const runs: FakeRun[] = [];
  const behaviour: FakeBehaviour = {
    setup: async () => {},
    registration: {},
    invoke: async () => null,
    health: async () => ({ ok: true }),
    migrate: async () => {},
  };

  const start: StartRuntime = async (program, host): Promise<PluginRuntime> => {
    await behaviour.setup(program, host);
    const run: FakeRun = { program, host, settings: [], migratedFrom: [], stopped: null };
    runs.push(run);
    const { name, version } = program;
    return {
      registration: {
        ...{ name, version, description: null, adminPanel: null, routes: [], jobs: [], listeners: [] },
        ...{ hasHealth: true, hasMigrate: true },
        ...behaviour.registration,
      },
      isolation: "process",
      memoryBytes: () => 1_000_000,
      invoke: (handler, payload) => behaviour.invoke(handler, payload),
      setSettings: async (settings) => void run.settings.push(settings),
      health: () => behaviour.health(),
      migrate: async (from) => {
        run.migratedFrom.push(from);
        await behaviour.migrate();
      },
      stop: async (reason) => {
        run.stopped ??= reason;
      },
    };
  };

  return {
    start,
    runs,
    last: () => {
      const run = runs.at(-1);
      if (run === undefined) throw new Error("nothing was started");
      return run;
    },
    behave: (next) => void Object.assign(behaviour, next),
  };
};

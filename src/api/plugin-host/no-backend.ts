import { InvocationError, type PluginRuntime } from "./runtime.ts";

/** What stands for the backend of a plugin that has none: it is well, and does nothing. */
export const noBackend = ({ name, version }: { name: string; version: string }): PluginRuntime => ({
  registration: {
    ...{ name, version },
    description: null,
    adminPanel: null,
    routes: [],
    jobs: [],
    listeners: [],
    hasHealth: false,
    hasMigrate: false,
  },
  isolation: "native",
  memoryBytes: () => null,
  invoke: async (handler) => {
    throw new InvocationError("unavailable", `There is no handler ${handler}`);
  },
  setSettings: async () => {},
  health: async () => ({ ok: true }),
  migrate: async () => {},
  stop: async () => {},
});

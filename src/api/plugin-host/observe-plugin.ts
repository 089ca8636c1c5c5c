import type { ObservedPlugin } from "#api/core/plugins.ts";
import type { ReplicaRow } from "./host-store.ts";
import type { Standing } from "./supervisor.ts";

/** How a plugin stands here, with what it registered while it runs; `null` for one that is not known. */
export const observePlugin = (name: string, replica: string, standing: Standing | null): ObservedPlugin => {
  const { registration } = standing?.instance?.live.runtime ?? { registration: null };
  const { isolation, memoryBytes, startedAt } = runsIn(standing);
  return {
    name,
    replica,
    state: standing?.state ?? "disabled",
    version: standing?.version ?? "",
    error: standing?.error ?? null,
    isolation,
    memoryBytes,
    startedAt: startedAt?.toISOString() ?? null,
    adminPanel: registration?.adminPanel ?? null,
    routes: (registration?.routes ?? []).map(({ method, path, access, summary }) => ({
      ...{ method, path, access, summary },
    })),
    jobs: (registration?.jobs ?? []).map((job) => ({ name: job.name, everyMs: job.everyMs })),
  };
};

/** The same for the other servers. */
export const replicaRow = (name: string, standing: Standing): Omit<ReplicaRow, "replica"> => {
  const { state, version, generation, error } = standing;
  return { plugin: name, ...{ state, version, generation, error }, ...runsIn(standing) };
};

const runsIn = (standing: Standing | null) => {
  const instance = standing?.instance ?? null;
  const { runtime, manifest } = instance?.live ?? {};
  return {
    // A plugin without a backend runs nowhere.
    isolation: runtime !== undefined && manifest?.backend != null ? runtime.isolation : null,
    memoryBytes: runtime?.memoryBytes() ?? null,
    startedAt: instance?.startedAt ?? null,
  };
};

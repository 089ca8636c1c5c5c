import type { Plugin } from "#contract/plugins.ts";

/** A plugin as the API lists it. */
export const plugin = {
  name: "notes",
  title: "Notes",
  version: "1.2.0",
  description: "",
  type: "Other",
  enabled: true,
  core: false,
  dependsOn: ["licensing"],
  backendExists: true,
  frontendExists: false,
  tier: "unsigned",
  state: "running",
  error: null,
  pendingVersion: null,
  signature: { state: "unsigned", keyId: null, publisher: null, signedAt: null },
  adminPanel: null,
  frontend: null,
  commandWord: null,
} satisfies Plugin;
/** One of its versions. */
export const version = (name: string, isCurrent: boolean) => ({
  version: name,
  isCurrent,
  sizeBytes: 1_000,
  sha256: "ab".repeat(32),
  signature: plugin.signature,
  publisherChanged: null,
  permissions: [],
  uploadedAt: "2026-11-01T00:00:00.000Z",
});
/** Everything about it. */
export const details = {
  ...plugin,
  runtime: "sandbox",
  frontendMode: null,
  dependencies: { licensing: "^1.0.0" },
  dependents: ["others"],
  granted: [{ name: "net.fetch", hosts: ["a.example"], used: 4, refused: 1, lastUsedAt: null }],
  refused: [{ name: "users.read", refused: 2 }],
  pendingPermissions: [],
  versions: [version("1.2.0", true), version("1.1.0", false)],
  replicas: [{ replica: "r1", state: "running", isolation: "process+seccomp", memoryBytes: 10_000_000 }],
  routes: [{ method: "GET", path: "/list", access: "admin", summary: null }],
  jobs: [{ name: "daily", everyMs: 86_400_000, lastRunAt: null, lastError: "no ink" }],
  data: {
    keys: 3,
    files: 1,
    fileBytes: 2_000,
    secrets: 0,
    settings: 2,
    usedBytes: 2_500,
    quotaBytes: 100_000_000,
  },
  retained: [
    {
      ...{ publisher: "unsigned", publisherName: "no publisher (unsigned)", version: "1.0.0" },
      retainedAt: "2026-11-01T00:00:00.000Z",
      data: {
        ...{ keys: 7, files: 0, fileBytes: 0, secrets: 1, settings: 2 },
        ...{ usedBytes: 70, quotaBytes: 100_000_000 },
      },
    },
  ],
  installedAt: "2026-11-01T00:00:00.000Z",
  installedBy: "ada@example.com",
};
/** A call that worked. */
export const ok = (data: unknown, message = "Done") => Response.json({ success: true, message, data });

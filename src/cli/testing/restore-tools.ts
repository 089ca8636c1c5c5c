import type { OperatorBackups, RestoreReport } from "#api/backups/operator-backups.ts";
import type { World } from "./run.ts";

/** What the backup of these tests says of itself. */
export const manifest: RestoreReport["manifest"] = {
  format: 1,
  version: "1.0.0",
  createdAt: "2026-11-21T03:00:00.000Z",
  database: { kind: "embedded", version: "18.0" },
  migrations: [],
  ownMigrations: [],
  keyFingerprint: "0011223344556677",
  hasKey: false,
  tables: ["users"],
};
/** What its restore came to. */
export const report: RestoreReport = {
  manifest,
  tables: [{ table: "users", rows: 3 }],
  rows: 3,
  objects: 0,
  ended: { sessions: 2, links: 0, apiTokens: 2, scheduledTo: "storage" },
  key: "same",
  dropped: null,
  keptAs: "/data/database.replaced-20261121T040000Z",
};
/** What its trial came to, beside the `log`. */
export const proven = { manifest, tables: [], rows: 3, objects: 0, differing: [], isSound: true };
/** The log in it, which is whole. */
export const log = { checked: 5, fault: null, isSealChecked: true };

type Asked = { what: string; bytes: string; input: object };

/** The tools as a command finds them; `asked` is what it had them do. */
export const toolsFor = (given: Partial<OperatorBackups> = {}) => {
  const asked: Asked[] = [];
  const recorded = async (
    what: string,
    { bytes, onProgress: _, ...input }: Parameters<OperatorBackups["plan"]>[0],
  ) => {
    const pieces = await Array.fromAsync(bytes);
    asked.push({ what, bytes: Buffer.concat(pieces).toString(), input });
  };
  const tools: OperatorBackups = {
    plan: async (input) => {
      await recorded("plan", input);
      return { manifest, rows: { users: 3 }, objects: 0, key: "same", complaint: null, isReplacing: true };
    },
    verify: async (input) => {
      await recorded("verify", input);
      return { ...proven, log };
    },
    restore: async (input) => {
      await recorded("restore", input);
      return report;
    },
    stored: async (name, bucket) => {
      asked.push({ what: "stored", bytes: name, input: bucket ?? {} });
      return new Blob(["bytes of the bucket"]).stream();
    },
    newIdentity: () => Promise.reject(new Error("not in this test")),
    relock: () => Promise.reject(new Error("not in this test")),
    ...given,
  };
  const world: World = { composition: { backups: async () => tools } };
  return { asked, world };
};

import { archiveFormat, type Manifest } from "#api/backups/archive/format.ts";

/** What an archive with some tables may say of itself; no program has such a migration. */
export const backupManifest = (about: Partial<Manifest> = {}): Manifest => ({
  format: archiveFormat,
  version: "1.0.0",
  createdAt: "2026-01-02T03:04:05.000Z",
  database: { kind: "embedded", version: "18.0" },
  migrations: ["0000_first"],
  ownMigrations: [],
  keyFingerprint: "0011223344556677",
  hasKey: false,
  tables: ["users"],
  ...about,
});

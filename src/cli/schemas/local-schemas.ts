import { signatureStates } from "#contract/plugins.ts";
import { either, flag, list, object, oneOf, orNull, type Shape, text, whole } from "./shapes.ts";

/** Where a file went that a command wrote. */
export const written = object({ file: text, sizeBytes: whole });
const counted = list(object({ table: text, rows: whole }));
const numbered: Shape = { type: "object", additionalProperties: whole };
const someObject: Shape = { type: "object" };
const mark = { id: whole, hash: text };
const sealed = object({ table: text, column: text, id: text });
const permission = object({ name: text, hosts: list(text), plugins: list(text), reason: text }, [
  ...["hosts", "plugins", "reason"],
]);
const signature = object(
  {
    ...{ state: oneOf(...signatureStates), keyId: orNull(text), claimedKeyId: text },
    ...{ publisher: orNull(text), signedAt: orNull(text) },
  },
  ["claimedKeyId"],
);
const manifest = object({
  ...{ format: whole, version: text, createdAt: text },
  database: object({ kind: oneOf("postgres", "embedded"), version: text }),
  ...{ migrations: list(text), keyFingerprint: orNull(text), hasKey: flag, tables: list(text) },
});
const keyPlan = oneOf("same", "from-backup", "drop-secrets");
const dropped = object({
  ...{ enterAgain: list(text), mails: whole, activities: whole },
  log: object({
    ...{ headId: whole, headHash: text, anchorId: whole, anchorHash: text },
    ...{ seal: orNull(text), fault: orNull(text) },
  }),
});

/** What commands print with `--json` that no call of the API answers. */
export const localSchemas: Record<string, Shape> = {
  "activity export": object({ file: text, sizeBytes: whole, rows: whole }),
  "activity verify": object({
    checked: whole,
    head: object(mark),
    anchor: object(mark),
    fault: orNull(object({ id: whole, problem: text })),
    expected: orNull(
      object({ ...mark, outcome: oneOf("unchanged", "changed", "removed", "missing", "unproven") }),
    ),
  }),
  "activity cleanup": object({ deletedCount: whole }),
  "backup remove": object({ name: text, place: oneOf("folder", "storage") }),
  "plugin create": object({ name: text, folder: text, files: list(text) }),
  "plugin pack": object({ file: text, name: text, version: text, sizeBytes: whole, files: list(text) }),
  "plugin sign": object({ file: text, name: text, version: text, keyId: text }),
  "plugin keygen": object({ file: text, publicKey: text, keyId: text }),
  "plugin verify": object({
    ...{ name: text, version: text, title: text, permissions: list(permission), sizeBytes: whole },
    ...{ sha256: text, signature, problems: list(object({ code: text, message: text })) },
    files: list(object({ path: text, sizeBytes: whole })),
  }),
  "secrets new-key": object({ key: text }),
  "secrets rotate": object({
    ...{ resealed: whole, remaining: whole, isComplete: flag, fingerprint: text },
    ...{ previousFingerprint: orNull(text), unreadable: list(sealed) },
  }),
  "snapshot list": object({
    snapshots: list(object({ name: text, madeAt: text, sizeBytes: whole, before: orNull(text) })),
  }),
  "snapshot restore": object({ restored: text, replaced: orNull(text) }),
  restore: either(
    object({
      ...{ manifest, tables: counted, rows: whole, objects: whole },
      ended: object({
        ...{ sessions: whole, links: whole, apiTokens: whole },
        scheduledTo: orNull(oneOf("folder", "storage")),
      }),
      ...{ key: keyPlan, dropped: orNull(dropped), keptAs: orNull(text), into: text, needsAppSecret: flag },
    }),
    // --verify
    object({
      ...{ manifest, tables: counted, rows: whole, objects: whole, differing: list(text) },
      log: object({ checked: whole, fault: orNull(text), isSealChecked: flag }),
      isSound: flag,
    }),
    // --plan
    object({
      ...{ manifest, rows: numbered, objects: whole, key: orNull(keyPlan) },
      ...{ complaint: orNull(text), isReplacing: orNull(flag), into: text, keepsIn: orNull(text) },
    }),
  ),
  migrate: object({
    ...{ isServerRunning: flag, applied: list(text), pending: whole },
    migrations: list(object({ name: text, appliedAt: orNull(text) })),
  }),
  "migrate embedded-to-postgres": either(
    object({
      ...{ to: text, version: text, tables: counted, rows: whole, checked: whole },
      ...{ durationMs: { type: "number" }, rowsPerSecond: { type: "number" }, keep: list(text) },
    }),
    // --plan
    object({
      from: object({ dataDir: text, version: text, sizeBytes: whole }),
      to: object({ address: text, database: text, version: text }),
      tables: list(object({ table: text, rows: whole, bytes: whole })),
      ...{ rows: whole, bytes: whole, obstacle: orNull(text), brokenOffAt: orNull(text) },
    }),
  ),
  doctor: object({
    config: list(
      object({
        variable: text,
        value: text,
        source: oneOf("environment", "default", "--data-dir"),
        problem: orNull(text),
      }),
    ),
    checks: list(
      object({ name: text, state: oneOf("ok", "warn", "fail"), detail: text, remedy: orNull(text) }),
    ),
  }),
  "support-bundle": object({
    ...{ file: text, sizeBytes: whole },
    parts: list(object({ file: text, about: text, problem: orNull(text) })),
  }),
  // The description itself, or with --out where it went.
  openapi: either(written, someObject),
  schema: someObject,
};

import { AppError } from "#api/core/app-error.ts";
import type { Database } from "#api/core/database.ts";
import type { VerifiedPackage } from "#api/core/plugins.ts";
import { pluginTexts, publisherInWords } from "#contract/plugin-texts.ts";
import type { PluginSignature, PublisherChange, TrustedKey } from "#contract/plugins.ts";
import type { Catalogue } from "./catalogue.ts";
import { deleteData } from "./data-store.ts";
import { dataKeyOf, deletePlugin, type PluginRow, writePlugin } from "./store.ts";

type Asking = { verified: Pick<VerifiedPackage, "manifest" | "signature">; row: PluginRow };

/** Whose a package is: `bundled`, the id of the key that signed it, or `unsigned`. */
export const publisherOf = ({ state, keyId }: PluginSignature): string => {
  if (state === "bundled") return "bundled";
  // Of a key that is not known any more only the id is left.
  return state === "unsigned" ? "unsigned" : (keyId ?? "unsigned");
};

/** Whose plugin has a name, or had it until it was removed. */
export const publisherOfRow = ({ isBundled, publisherKeyId }: PluginRow): string =>
  isBundled ? "bundled" : (publisherKeyId ?? "unsigned");

/** Throws `PUBLISHER_CHANGED` for a package of another publisher. */
export const requireSamePublisher = (asking: Asking, keys: readonly TrustedKey[]): void => {
  const change = publisherChange(asking, keys);
  if (change === null) return;
  const { from, to, fromName, toName } = change;
  const { title } = asking.verified.manifest;
  throw new AppError("PUBLISHER_CHANGED", pluginTexts.publisherChanged(title, fromName, toName), {
    data: { from, to },
  });
};

/**
 * The same for the version in force, as it is enabled. Its bytes are whose they always were: a key may have become known
 * since they came, or be known no longer.
 */
export const requireOwnPublisher = (asking: Asking, keys: readonly TrustedKey[]): void => {
  const { verified, row } = asking;
  const { claimedKeyId } = verified.signature;
  if (publisherOfRow(row) === "unsigned") return;
  if (claimedKeyId !== undefined && claimedKeyId === row.publisherKeyId) return;
  requireSamePublisher(asking, keys);
};

/** From whom to whom a plugin goes with a package; `null` when it stays with its publisher. */
export const publisherChange = (
  { verified, row }: { verified: Pick<VerifiedPackage, "signature">; row: PluginRow },
  keys: readonly TrustedKey[],
): PublisherChange | null => {
  const from = publisherOfRow(row);
  const to = publisherOf(verified.signature);
  if (from === to) return null;
  return { from, to, fromName: publisherName(from, keys), toName: publisherName(to, keys) };
};

/** What people call a publisher. */
export const publisherName = (publisher: string, keys: readonly TrustedKey[]): string =>
  publisherInWords(publisher, keys.find(({ keyId }) => keyId === publisher)?.label ?? null);

/** Whether a row is what is kept of a plugin that was removed or replaced. */
export const isRetained = ({ removedAt, migratedVersion }: PluginRow): boolean =>
  removedAt !== null && migratedVersion !== null;

/** What is kept of a publisher's plugin of that name; `null` for nothing. */
export const retainedOf = (catalogue: Catalogue, name: string, publisher: string): PluginRow | null =>
  retainedRows(catalogue, name).find((row) => publisherOfRow(row) === publisher) ?? null;

/** What is kept of all publishers' plugins of that name. */
export const retainedRows = ({ removed }: Catalogue, name: string): PluginRow[] =>
  [...removed.values()].filter(
    (row) => isRetained(row) && (row.name === name || row.name === retainedName(name, publisherOfRow(row))),
  );

/** What a publisher's plugin begins with: what was kept of it, or else nothing, in a place where nobody's data is. */
export const beginningOf = (
  catalogue: Catalogue,
  { name, publisher, generation }: { name: string; publisher: string; generation: number },
): Pick<PluginRow, "granted" | "consentedSha256" | "settings" | "migratedVersion" | "dataKey"> => {
  const row = retainedOf(catalogue, name, publisher);
  if (row !== null) {
    const { granted, consentedSha256, settings, migratedVersion } = row;
    return { granted, consentedSha256, settings, migratedVersion, dataKey: row.dataKey };
  }
  const { installed, removed } = catalogue;
  const others = [...[...installed.values()].map((plugin) => plugin.row), ...removed.values()];
  const isTaken = others.some((other) => dataKeyOf(other) === name && !isForgotten(other));
  const dataKey = isTaken ? `${name}.${generation}` : null;
  return { granted: [], consentedSha256: null, settings: {}, migratedVersion: null, dataKey };
};

/** Of what is part of Atrium and was deleted, a row stays without any data. */
const isForgotten = (row: PluginRow): boolean => row.removedAt !== null && !isRetained(row);

/** Keeps a plugin's data for its publisher while another one's plugin has its name. */
export const shelve = async (
  tx: Database,
  { removed }: Catalogue,
  { row, now }: { row: PluginRow; now: Date },
): Promise<void> => {
  const name = retainedName(row.name, publisherOfRow(row));
  const former = removed.get(name);
  if (former !== undefined) await deleteData(tx, dataKeyOf(former));
  await writePlugin(tx, {
    ...row,
    ...{ name, dataKey: dataKeyOf(row), isEnabled: false, removedAt: now, updatedAt: now },
    migratedVersion: row.migratedVersion ?? row.version,
    ...{ pendingVersion: null, pendingError: null, quarantineReason: null },
  });
};

/** Removes the row in which something was shelved: it is the publisher's plugin again. */
export const unshelve = (tx: Database, name: string, publisher: string): Promise<void> =>
  deletePlugin(tx, retainedName(name, publisher));

/** The name of the row of what is kept for a publisher: no plugin can be called so. */
const retainedName = (name: string, publisher: string): string => `${name}.${publisher}`;

import type { Services } from "#api/core/context.ts";
import { readCatalogue } from "./catalogue.ts";
import { deletePackages, packagesPrefix } from "./package-object.ts";
import { allFilesPrefix, deleteFiles } from "./plugin-files.ts";
import { isRetained } from "./publisher.ts";
import { dataKeyOf } from "./store.ts";

// An upload that is under way has stored its package and not yet spoken of it.
const youngestMs = 60 * 60 * 1_000;

/** Deletes packages that no version speaks of, and files of plugins that are gone: what a server that was killed left. */
export const sweepPackages = async (services: Services): Promise<void> => {
  const { db, objects, clock } = services;
  const isOld = ({ createdAt }: { createdAt: Date }): boolean =>
    clock.now().getTime() - createdAt.getTime() > youngestMs;
  // Listed before the table is read: what is stored meanwhile is not among them.
  const packages = (await objects.list(packagesPrefix)).filter(isOld);
  const files = (await objects.list(allFilesPrefix)).filter(isOld);
  const { installed, removed } = await readCatalogue(db);
  const needed = new Set(
    [...installed.values()].flatMap(({ versions }) => versions.map(({ objectKey }) => objectKey)),
  );
  await deletePackages(
    services,
    packages.map(({ key }) => key).filter((key) => !needed.has(key)),
  );
  const owners = new Set(files.map(({ key }) => key.slice(allFilesPrefix.length).split("/")[0] ?? ""));
  const kept = new Set([
    ...[...installed.values()].map(({ row }) => dataKeyOf(row)),
    ...[...removed.values()].filter(isRetained).map(dataKeyOf),
  ]);
  for (const owner of owners) if (!kept.has(owner)) await deleteFiles(services, owner);
};

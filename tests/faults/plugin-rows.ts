import { like } from "drizzle-orm";
import type { Database } from "#api/core/database.ts";
import { pluginKv, plugins, pluginVersions, storedObjectParts, storedObjects } from "#api/db/schema.ts";
import { keptVersions } from "#contract/plugins.ts";
import type { PluginJournal } from "./plugin-acts.ts";

const isPackage = like(storedObjects.key, "packages/%");

/** What is wrong between the rows of plugins, their packages and what was acknowledged; empty when all of it fits. */
export const misfits = async (db: Database, journals: readonly PluginJournal[]): Promise<string[]> => {
  const rows = await db.select().from(plugins);
  const versions = await db.select().from(pluginVersions);
  const objects = new Map(
    (await db.select().from(storedObjects).where(isPackage)).map((one) => [one.key, one]),
  );
  const { version: copy, content } = storedObjectParts;
  const parts = await db.select({ copy, content }).from(storedObjectParts);
  const sizes = new Map<string, number>();
  for (const part of parts) sizes.set(part.copy, (sizes.get(part.copy) ?? 0) + part.content.length);
  const values = await db.select().from(pluginKv);
  const needed = new Set(versions.map(({ objectKey }) => objectKey));

  const ofVersions = versions.flatMap(({ plugin, version, objectKey, sha256, sizeBytes }) => {
    const about = `${plugin} ${version}`;
    const row = rows.find(({ name }) => name === plugin);
    const object = objects.get(objectKey ?? "");
    return [
      ...(row === undefined || row.removedAt !== null ? [`${about} is a version of no plugin`] : []),
      // What is part of the executable has none that is stored.
      ...(object === undefined && objectKey !== null ? [`${about} has no package`] : []),
      ...(object !== undefined && object.digest !== sha256 ? [`${about} has another package`] : []),
      ...(object !== undefined && sizes.get(object.version) !== sizeBytes
        ? [`${about} has not all of its package`]
        : []),
    ];
  });
  const ofPlugins = rows
    .filter(({ removedAt }) => removedAt === null)
    .flatMap(({ name, version }) => {
      const own = versions.filter(({ plugin }) => plugin === name);
      return [
        ...(own.some((one) => one.version === version)
          ? []
          : [`${name} ${version} is not among its versions`]),
        ...(own.length <= keptVersions ? [] : [`${name} has ${own.length} versions`]),
      ];
    });
  const ofJournals = journals.flatMap(({ name, state }) => {
    const value = values.find(({ plugin, key }) => plugin === name && key === "mark")?.value ?? "null";
    return value === JSON.stringify(state.mark) ? [] : [`${name} keeps ${value}, not ${state.mark}`];
  });
  const orphans = [...objects.keys()]
    .filter((key) => !needed.has(key))
    .map((key) => `${key} belongs to nothing`);
  return [...ofVersions, ...ofPlugins, ...ofJournals, ...orphans];
};

/** Has every package be as old as one that nothing under way can be about. */
export const agePackages = async (db: Database): Promise<void> => {
  const createdAt = new Date(Date.now() - 24 * 60 * 60 * 1_000);
  await db.update(storedObjects).set({ createdAt }).where(isPackage);
};

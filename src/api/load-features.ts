import type { Services } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { type AnyFeatureServer, jobComplaint } from "#api/core/feature-server.ts";
import { type Implemented, tie } from "#api/core/implement.ts";
import type { PersonalData } from "#api/core/personal-data.ts";
import { declaredTables, findUnmigrated, personalComplaint } from "#api/db/own-schema.ts";
import { settingsRuns } from "#api/modules/settings/index.ts";
import { type AnyFeature, featureComplaint, moduleOf } from "#contract/define-feature.ts";
import { withChange } from "#contract/define-settings.ts";
import type { FeatureSettings } from "#contract/feature-settings.ts";
import type { SiteIdentity } from "#contract/program-site.ts";
import { unsetSite } from "#contract/site.ts";
import { siteSettings } from "#contract/site-settings.ts";
import { describeError } from "./core/describe-error.ts";
import { contracts, features as listed } from "./operations.ts";

/** A feature with what runs of it. */
export type LoadedFeature = {
  name: string;
  module: string;
  server: AnyFeatureServer;
  settings?: FeatureSettings | undefined;
  operations: readonly Implemented[];
};

/** Own features can't be used, and the message says which and why: without one the product would be another. */
class UnusableFeatureError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnusableFeatureError";
  }
}

/** Loads what runs of the own features. Throws `UnusableFeatureError`. */
export const loadFeatures = async (
  features: readonly AnyFeature[] = listed,
): Promise<readonly LoadedFeature[]> => {
  const complaint = featureComplaint(features, Object.keys(contracts)) ?? ownSiteComplaint(unsetSite);
  if (complaint !== null) throw new UnusableFeatureError(complaint);
  const loaded: LoadedFeature[] = [];
  // One by one: tables belong to the feature that declares them while it is loaded.
  for (const feature of features) loaded.push(await loadFeature(feature));
  return loaded;
};

/** What is wrong with the identity in `src/plugins/own-site.ts`; `null` if nothing is. */
export const ownSiteComplaint = (site: SiteIdentity): string | null => {
  const [error] = withChange(siteSettings, siteSettings.defaults, site).errors;
  return error === undefined ? null : `src/plugins/own-site.ts: ${error.path}: ${error.message}`;
};

/** Throws `UnusableFeatureError` where a migrated database lacks a table of theirs, or a column. */
export const refuseUnmigrated = async (db: Database): Promise<void> => {
  const lacking = await findUnmigrated(db);
  if (lacking !== null)
    throw new UnusableFeatureError(
      `The database lacks ${lacking}, which a feature declares. Write the migration with "bun run db:generate:own", then start again`,
    );
};

/** What they hold of users, by their names in the file of an account. */
export const personalDataOf = (features: readonly LoadedFeature[]): ReadonlyMap<string, PersonalData> =>
  new Map(
    features.flatMap(({ module, server: { personal } }) =>
      personal === undefined || personal === "none" ? [] : [[module, personal]],
    ),
  );

/** What they do before changes. */
export const beforeHooksOf = (features: readonly LoadedFeature[]): Services["beforeHooks"] =>
  features.flatMap(({ name: feature, server: { before } }) => (before ? [{ feature, before }] : []));

/** The settings that they declare. */
export const featureSettingsOf = (features: readonly LoadedFeature[]): FeatureSettings[] =>
  features.flatMap(({ settings }) => settings ?? []);

/** Where in a feature's own files an error was thrown; empty if that is unknown. */
const placeOf = (error: unknown): string => {
  const line =
    error instanceof Error ? error.stack?.match(/src\/plugins\/[^\s()]+:\d+(?=:\d+)/)?.[0] : undefined;
  return line === undefined ? "" : ` (${line})`;
};

const loadFeature = async (feature: AnyFeature): Promise<LoadedFeature> => {
  const { name, contract, settings } = feature;
  const refuse = (complaint: string) =>
    new UnusableFeatureError(`The feature "${name}" can't be used: ${complaint}`);
  const known = declaredTables().length;
  const { server } = await feature.server().catch((cause: unknown) => {
    throw new UnusableFeatureError(
      `The feature "${name}" could not be loaded, and Atrium does not start without it: ${describeError(cause).message}${placeOf(cause)}`,
      { cause },
    );
  });
  for (const [job, declared] of Object.entries(server.jobs ?? {})) {
    const complaint = await jobComplaint(declared);
    if (complaint !== null) throw refuse(`its job "${job}" is wrong: ${complaint}`);
  }
  for (const table of declaredTables().slice(known)) {
    const complaint = personalComplaint(table, { hasPersonal: server.personal !== undefined });
    if (complaint !== null) throw refuse(complaint);
  }
  const module = moduleOf(feature);
  const runs = { ...server.operations, ...(settings === undefined ? {} : settingsRuns(settings)) };
  return { name, module, server, settings, operations: tie(module, contract, runs) };
};

import type { AnyFeatureServer, FeatureServer } from "#api/core/feature-server.ts";
import { reservedCommandWords } from "./command-words.ts";
import type { SettingsSection } from "./define-settings.ts";
import { type FeatureSettings, settingsOperations } from "./feature-settings.ts";
import type { Contract } from "./operation.ts";
import { pluginNamePattern, reservedPluginNames, shippedPluginNames } from "./plugin-names.ts";

/**
 * A feature of a product that is built on Atrium, in `src/plugins/<name>/`. All of it is data that loads nothing, since the
 * command line reads it at each start; `server` loads the rest.
 */
export type Feature<N extends string = string, C extends Contract = Contract> = {
  /** Its folder, the beginning of its addresses (`/api/<name>`) and the word of its commands. */
  name: N;
  title: string;
  contract: C;
  /** What is said of its commands; needed if an operation has one. */
  commands?: { summary: string; description: string };
  /** What admins set of it: declare them with `featureSettings`. */
  settings?: FeatureSettings;
  server: () => Promise<{ server: FeatureServer<C> }>;
};

/** A feature whose types are forgotten: one of a list. */
export type AnyFeature = Omit<Feature, "server"> & {
  server: () => Promise<{ server: AnyFeatureServer }>;
};

/** Declares a feature, which counts once it is listed in `src/plugins/own.ts`. Its settings come with operations. */
export const defineFeature = <const N extends string, const C extends Contract, S extends object = never>(
  feature: Omit<Feature<N, C>, "settings"> & { settings?: SettingsSection<N, S> },
): Declared<N, C, S> => {
  const { settings, contract } = feature;
  const own = settings === undefined ? {} : settingsOperations(settings);
  // What is there without settings, and with them those of the type.
  return { ...feature, contract: { ...own, ...contract } } as unknown as Declared<N, C, S>;
};

type Declared<N extends string, C extends Contract, S extends object> = Omit<Feature<N, C>, "contract"> & {
  contract: [S] extends [never] ? C : C & ReturnType<typeof settingsOperations<N, S>>;
};

/** Under which name its operations are in the API's document, and its rows in the export of an account: `salesTeams`. */
export const moduleOf = ({ name }: Pick<AnyFeature, "name">): string =>
  name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Why features can't be used together with each other and the product, whose modules are `modules`; `null` when they can. */
export const featureComplaint = (
  features: readonly AnyFeature[],
  modules: readonly string[],
): string | null => {
  for (const [at, feature] of features.entries()) {
    const complaint = complaintAbout(feature, modules);
    if (complaint !== null) return `The feature "${feature.name}" can't be used: ${complaint}`;
    if (features.findIndex((other) => moduleOf(other) === moduleOf(feature)) < at)
      return `Two features in src/plugins/own.ts are named "${feature.name}"`;
  }
  return null;
};

/** Why no feature can have a name, beside the product's `modules`; `null` when one can. */
export const nameComplaint = (name: string, modules: readonly string[]): string | null => {
  if (!pluginNamePattern.test(name))
    return "its name needs 2 to 40 lowercase letters, digits and hyphens, and begins with a letter";
  return reserved.has(name) || modules.includes(moduleOf({ name }))
    ? "Atrium uses this name itself; choose another one"
    : null;
};

const complaintAbout = (feature: AnyFeature, modules: readonly string[]): string | null => {
  const { name, contract, commands } = feature;
  const complaint = nameComplaint(name, modules);
  if (complaint !== null) return complaint;
  if (feature.settings !== undefined && feature.settings.name !== name)
    return `its settings are named "${feature.settings.name}"`;
  const operations = Object.values(contract);
  const stray = operations.find(
    ({ endpoint }) => !`${endpoint}/`.replace(/^\w+ /, "").startsWith(`/api/${name}/`),
  );
  if (stray !== undefined) return `${stray.endpoint} is not below /api/${name}`;
  const typed = operations.find((operation) => operation.commands !== undefined);
  return typed === undefined || commands !== undefined
    ? null
    : `${typed.endpoint} has a command, so defineFeature needs "commands", which says what they are about`;
};

const reserved: ReadonlySet<string> = new Set<string>([
  ...reservedPluginNames,
  ...reservedCommandWords,
  ...shippedPluginNames,
  // What "bun run atrium" does only in a clone, sections of settings, and the list in src/plugins/own.ts.
  ...["app", "init", "make", "sample", "accounts", "credentials", "site", "own"],
]);

import type { DesiredPlugin } from "./host-store.ts";
import type { PluginInstance } from "./plugin-instance.ts";
import { StartFailure } from "./start-failure.ts";
import type { StartOrder } from "./start-plugin.ts";

/** The start that brings about what is wanted. Throws a {@link StartFailure} when nothing is known of the version. */
export const orderOf = ({ name, stored, ...wanted }: DesiredPlugin): StartOrder => {
  if (stored === null) throw new StartFailure("away", `Version ${wanted.version} is not stored`);
  const { version, sha256, objectKey, storedAt } = stored;
  const { dataKey, granted, settings, consentedSha256, publisherKeyId } = wanted;
  return {
    place: { name, version, sha256, objectKey, storedAt },
    ...{ dataKey, granted, settings, consentedSha256, publisherKeyId },
    isMigrated: wanted.migratedVersion === version,
  };
};

/** Whether an instance is what is wanted, but for its settings. */
export const runsAs = (
  { live, dataKey }: PluginInstance,
  { stored, granted, ...wanted }: DesiredPlugin,
): boolean =>
  live.sha256 === stored?.sha256 && dataKey === wanted.dataKey && Bun.deepEquals(live.granted, granted);

/** Whether both are wanted to be started alike, but for their settings. */
export const isSameStart = (one: DesiredPlugin, other: DesiredPlugin): boolean =>
  one.isEnabled === other.isEnabled &&
  one.stored?.sha256 === other.stored?.sha256 &&
  one.dataKey === other.dataKey &&
  Bun.deepEquals(one.granted, other.granted);

/** Whether everything that an instance may do is granted still. */
export const keepsGrants = ({ live }: PluginInstance, { granted }: DesiredPlugin): boolean =>
  live.granted.every((permission) => granted.some((other) => Bun.deepEquals(permission, other)));

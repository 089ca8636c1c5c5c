import { type FeatureSettings, valuesOfFeature } from "#contract/feature-settings.ts";
import type { Context } from "./context.ts";

/** The values of a feature's settings now, at most a second behind other servers; a secret that isn't set is `null`. */
export const settingsOf = <V extends object>(
  { settings }: Pick<Context, "settings">,
  section: FeatureSettings<V>,
): V => valuesOfFeature(section, settings.current.features);

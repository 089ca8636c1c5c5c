import type { Manifest } from "#contract/plugin-manifest.ts";
import type { Json } from "#plugins/sdk/types.ts";

/**
 * What a plugin reads as its settings: what was set, or else what the manifest's schema gives. Secrets, and what the
 * schema does not know (any more), are not among them.
 */
export const effectiveSettings = (
  { settings }: Pick<Manifest, "settings">,
  stored: Readonly<Record<string, Json>>,
): Record<string, Json> => {
  const known: [string, Json][] = [];
  for (const [name, field] of Object.entries(settings?.schema.properties ?? {})) {
    if (field["x-secret"] === true) continue;
    const value = Object.hasOwn(stored, name) ? stored[name] : asJson(field.default);
    if (value !== undefined) known.push([name, value]);
  }
  return Object.fromEntries(known);
};

/** It was read from JSON. */
const asJson = (value: unknown): Json | undefined => value as Json | undefined;

import type { ShippedPlugin } from "#api/plugin-host/package/shipped-packages.ts";
import firewall from "./firewall/plugin.json" with { type: "json" };
import licensing from "./licensing/plugin.json" with { type: "json" };
import template from "./plugin-template/plugin.json" with { type: "json" };
import releases from "./released-contents.json" with { type: "json" };
import webPerformance from "./web-performance-optimization/plugin.json" with { type: "json" };

/** What a plugin consisted of in each release: `scripts/keep-plugin-contents.ts` writes them down. */
const releasedContents = (name: string): string[] =>
  Object.values(releases).flatMap((contents: Record<string, string>) => contents[name] ?? []);

/** A product may leave out any of them: docs/remove-parts.md. */
const shipped: readonly Omit<ShippedPlugin, "released">[] = [
  { manifest: licensing, isCore: true, isEnabledAtFirst: true },
  { manifest: firewall, isCore: false, isEnabledAtFirst: false },
  { manifest: webPerformance, isCore: false, isEnabledAtFirst: false },
  { manifest: template, isCore: false, isEnabledAtFirst: false },
];

/** The plugins that are part of the executable. */
export const firstPartyPlugins: readonly ShippedPlugin[] = shipped.map((plugin) => ({
  ...plugin,
  released: releasedContents(plugin.manifest.name),
}));

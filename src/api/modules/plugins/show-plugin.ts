import type { Context } from "#api/core/context.ts";
import type {
  Plugin,
  PluginFrontend,
  PluginPanel,
  PluginTier,
  PublicPlugin,
  TrustedKey,
} from "#contract/plugins.ts";
import type { AdminPanel } from "#plugins/sdk/types.ts";
import { getInstalled, type Installed, readCatalogue } from "./catalogue.ts";
import { currentTrust, readTrustedKeys } from "./trusted-keys.ts";

/** An installed plugin in its current state. Throws `PLUGIN_NOT_FOUND`. */
export const showPlugin = async (ctx: Context, name: string): Promise<Plugin> =>
  toPlugin(ctx, getInstalled(await readCatalogue(ctx.db), name), await readTrustedKeys(ctx, ctx.db));

/** A plugin's row in the list, as admins see it on this server. */
export const toPlugin = (
  { plugins }: Pick<Context, "plugins">,
  { row, current }: Installed,
  keys: readonly TrustedKey[],
): Plugin => {
  const { manifest } = current;
  const observed = plugins.observe(row.name);
  const isQuarantined = row.quarantineReason !== null && !row.isEnabled;
  const { tier, signature } = currentTrust(current, keys);
  return {
    name: row.name,
    title: manifest.title,
    description: manifest.description,
    version: row.version,
    type: manifest.type,
    enabled: row.isEnabled,
    core: isCore({ plugins }, row.name),
    dependsOn: Object.keys(manifest.dependsOn),
    backendExists: manifest.backend !== null,
    frontendExists: manifest.frontend !== null,
    tier,
    signature,
    state: isQuarantined ? "quarantined" : observed.state,
    error: row.quarantineReason ?? observed.error ?? row.pendingError,
    pendingVersion: row.pendingVersion,
    adminPanel: mergePanel(manifest.adminPanel, observed.adminPanel),
    frontend: toFrontend({ row, current }, tier),
    commandWord: manifest.commands?.word ?? null,
  };
};

const toFrontend = (
  { row: { name, granted }, current: { manifest, sha256 } }: Pick<Installed, "row" | "current">,
  tier: PluginTier,
): PluginFrontend | null => {
  const { frontend } = manifest;
  if (frontend === null) return null;
  const isTrusted =
    tier === "bundled" || tier === "native" || granted.some((permission) => permission.name === "ui.native");
  const at = (path: string) => `/api/plugins/${name}/assets/${sha256.slice(0, 12)}/${path}`;
  return {
    mode: frontend.mode === "native" && isTrusted ? "native" : "iframe",
    script: at(frontend.entry),
    css: frontend.css === null ? null : at(frontend.css),
    overlay: frontend.overlay,
  };
};

/** Its public fields. */
export const toPublicPlugin = ({ row, current: { manifest } }: Installed): PublicPlugin => ({
  name: row.name,
  description: manifest.description,
  type: manifest.type,
  enabled: row.isEnabled,
  frontendExists: manifest.frontend !== null,
});

/** Whether a plugin is a part of Atrium that cannot be deleted or replaced. */
export const isCore = ({ plugins }: Pick<Context, "plugins">, name: string): boolean =>
  plugins.bundled.some((bundled) => bundled.isCore && bundled.name === name);

/** The manifest's panel, overridden field by field by the running plugin. */
const mergePanel = (panel: PluginPanel | null, running: AdminPanel | null): PluginPanel | null => {
  if (panel === null || running === null) return panel;
  const { menuItem, card } = panel;
  return {
    enabled: running.enabled,
    ...(menuItem === undefined ? {} : { menuItem: over(menuItem, running.menuItem) }),
    ...(card === undefined ? {} : { card: over(card, running.card) }),
  };
};

const over = <T extends Record<string, string>>(own: T, running: Partial<T> | undefined): T => {
  const merged = { ...own };
  for (const name of Object.keys(own) as (keyof T)[]) merged[name] = running?.[name] ?? own[name];
  return merged;
};

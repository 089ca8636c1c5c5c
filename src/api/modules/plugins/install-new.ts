import { nameOfActor } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { changePlugins } from "./change-plugins.ts";
import { storeVersion } from "./new-version.ts";
import { markActivated, type PluginRow, writePlugin } from "./store.ts";
import { type InstallOutcome, requireUnchanged, type StoredPackage } from "./stored-upload.ts";
import { refusal } from "./verify-upload.ts";

/** Installs a plugin that is not there, disabled; with what was kept of it when it was removed. */
export const installNew = (ctx: Context, stored: StoredPackage): Promise<InstallOutcome> => {
  const { manifest, sha256, signature, tier } = stored.verified;
  const { name, version, title } = manifest;
  return changePlugins<InstallOutcome>(
    ctx,
    {
      ...refusal,
      pluginName: name,
      described: () => ({
        type: "plugin_installed",
        action: "Installed a plugin",
        description: `${title} ${version}`,
        after: { version, sha256, signature: signature.state },
      }),
    },
    async (held) => {
      requireUnchanged(held.catalogue.installed.get(name), null);
      const { tx, now, catalogue } = held;
      await storeVersion(ctx, held, { ...stored, versions: [] });
      await markActivated(tx, { plugin: name, version, signature, now });
      await writePlugin(tx, {
        ...keptOf(catalogue.removed.get(name)),
        ...{ name, version, isEnabled: false, isBundled: tier === "bundled" },
        generation: await held.raise(),
        publisherKeyId: catalogue.removed.get(name)?.publisherKeyId ?? signature.keyId,
        ...{ pendingVersion: null, pendingError: null, quarantineReason: null },
        ...{ installedBy: nameOfActor(ctx.actor), installedAt: now, updatedAt: now, removedAt: null },
      });
      return { message: pluginTexts.installed(title, version), unused: [] };
    },
  );
};

/** What comes back with a plugin: nothing, unless its data was kept. */
const keptOf = (
  row: PluginRow | undefined,
): Pick<PluginRow, "granted" | "consentedSha256" | "settings" | "migratedVersion"> => {
  const isKept = row !== undefined && row.migratedVersion !== null;
  return {
    granted: isKept ? row.granted : [],
    consentedSha256: isKept ? row.consentedSha256 : null,
    settings: isKept ? row.settings : {},
    migratedVersion: isKept ? row.migratedVersion : null,
  };
};

import { nameOfActor } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import { changePlugins } from "./change-plugins.ts";
import { storeVersion } from "./new-version.ts";
import { beginningOf, isRetained, publisherOf, publisherOfRow, shelve, unshelve } from "./publisher.ts";
import { markActivated, writePlugin } from "./store.ts";
import { type InstallOutcome, requireUnchanged, type StoredPackage } from "./stored-upload.ts";
import { refusal } from "./verify-upload.ts";

/** Installs a plugin that is not there, disabled; with what was kept of its publisher's plugin of that name. */
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
      const publisher = publisherOf(signature);
      const generation = await held.raise();
      const former = catalogue.removed.get(name);
      if (former !== undefined && isRetained(former) && publisherOfRow(former) !== publisher)
        await shelve(tx, catalogue, { row: former, now });
      await storeVersion(ctx, held, { ...stored, versions: [] });
      await markActivated(tx, { plugin: name, version, signature, now });
      await writePlugin(tx, {
        ...beginningOf(catalogue, { name, publisher, generation }),
        ...{ name, version, generation, isEnabled: false, isBundled: tier === "bundled" },
        publisherKeyId: signature.keyId,
        ...{ pendingVersion: null, pendingError: null, quarantineReason: null },
        ...{ installedBy: nameOfActor(ctx.actor), installedAt: now, updatedAt: now, removedAt: null },
      });
      await unshelve(tx, name, publisher);
      return { message: pluginTexts.installed(title, version), unused: [] };
    },
  );
};

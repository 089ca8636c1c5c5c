import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { Installed } from "./catalogue.ts";
import { changePlugins } from "./change-plugins.ts";
import { storeVersion } from "./new-version.ts";
import { putInForce } from "./put-in-force.ts";
import { type InstallOutcome, requireUnchanged, type StoredPackage } from "./stored-upload.ts";
import { refusal } from "./verify-upload.ts";
import { isNewer } from "./versions.ts";

/** Puts a package in the place of a disabled plugin's version; whatever it needs is asked for when it is enabled. */
export const replaceVersion = (
  ctx: Context,
  installed: Installed,
  stored: StoredPackage,
): Promise<InstallOutcome> => {
  const { name } = stored.verified.manifest;
  return changePlugins<InstallOutcome>(
    ctx,
    { ...refusal, pluginName: name, described: () => updated(installed, stored) },
    async (held) => {
      requireUnchanged(held.catalogue.installed.get(name), installed);
      const { versions, replaced } = await storeVersion(ctx, held, { ...stored, ...installed });
      const unused = await putInForce(held, {
        installed: { row: installed.row, versions },
        verified: stored.verified,
        hasConsent: false,
        isEnabled: false,
      });
      return { message: movedTo(installed, stored), unused: [...unused, replaced] };
    },
  );
};

/** What people are told of a version that took the place of another. */
export const movedTo = (
  { row }: Installed,
  { verified }: { verified: Pick<StoredPackage["verified"], "manifest"> },
): string => {
  const { title, version } = verified.manifest;
  return isNewer(row.version, version)
    ? pluginTexts.rolledBack(title, version)
    : pluginTexts.updated(title, version);
};

/** How a version that took the place of another stands in the log. */
export const updated = ({ row }: Installed, { verified }: Pick<StoredPackage, "verified">) =>
  ({
    type: "plugin_updated",
    action: "Updated a plugin",
    description: `${verified.manifest.title}: ${row.version} to ${verified.manifest.version}`,
    severity: "low",
    before: { version: row.version },
    after: { version: verified.manifest.version, sha256: verified.sha256 },
  }) as const;

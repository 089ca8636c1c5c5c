import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import type { Installed } from "./catalogue.ts";
import { holdOwnKey } from "./change-key.ts";
import { changePlugins } from "./change-plugins.ts";
import { enabledDependents, titleIn } from "./dependencies.ts";
import { disableDependents, switchOff } from "./disable-plugin.ts";
import { type KeyRow, toTrustedKey, updateKey } from "./keys-store.ts";

type Revoked = { key: KeyRow; stopped: Installed[]; off: string[] };

/**
 * Trusts a key no longer, for good: every enabled plugin that it signed is stopped on every replica, and what needs those
 * plugins is disabled. For admins and the operator. Throws `NOT_FOUND`, and `CONFLICT` for a pinned or revoked key.
 */
export const revokeKey = async (
  ctx: Context,
  { id }: { id: string },
): Promise<{ message: string; data: TrustedKey }> => {
  const { key, stopped, off } = await changePlugins<Revoked>(
    ctx,
    {
      type: "admin_action",
      action: "Revoked a publisher's key",
      severity: "critical",
      description: id,
      described: (done) => ({ description: done.key.label, after: { keyId: id } }),
    },
    async (held) => {
      const row = await holdOwnKey(ctx, held.tx, id);
      if (row.revokedAt !== null) throw new AppError("CONFLICT", pluginTexts.keyRevokedAlready);
      const revoked = { ...row, revokedAt: held.now };
      await updateKey(held.tx, id, { revokedAt: held.now });
      await held.raise();
      const signed = [...held.catalogue.installed.values()].filter(
        ({ row: plugin, current: { signature } }) =>
          // Servers refuse what names a revoked key, whether or not that signed it.
          plugin.isEnabled && (signature.keyId === id || signature.claimedKeyId === id),
      );
      const others = new Map<string, Installed>();
      for (const plugin of signed) {
        const dependents = enabledDependents(held.catalogue, plugin.row.name).filter(
          (dependent) => !signed.includes(dependent) && !others.has(dependent.row.name),
        );
        await disableDependents(held, plugin, dependents);
        for (const dependent of dependents) others.set(dependent.row.name, dependent);
        await switchOff(held, plugin.row.name, pluginTexts.revokedReason);
        await held.record({
          type: "signature_failed",
          action: "Stopped a plugin",
          description: `${titleIn(plugin)}: ${pluginTexts.revokedReason}`,
          status: "failure",
          severity: "critical",
          pluginName: plugin.row.name,
        });
      }
      return {
        key: revoked,
        stopped: signed,
        off: [...others.keys(), ...signed.map((plugin) => plugin.row.name)],
      };
    },
  );
  if (off.length > 0) await ctx.plugins.converge(off);
  return { message: pluginTexts.keyRevoked(stopped.map(titleIn)), data: toTrustedKey(key) };
};

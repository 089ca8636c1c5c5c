import { nameOfActor } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { describeError } from "#api/core/describe-error.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import { changePlugins } from "./change-plugins.ts";
import { type KeyTerms, periodOf, requireOperatorFor } from "./key-input.ts";
import { insertKey, type KeyRow, toTrustedKey } from "./keys-store.ts";
import { renewSignatures } from "./renew-signatures.ts";

/** A publisher's raw key in base64, and on what terms it is trusted. */
export type AddKeyInput = KeyTerms & { publicKey: string };

/**
 * Trusts a publisher's key. For admins and the operator; one that signs what runs inside the server for the operator alone
 * (`FORBIDDEN`). Throws a 422 for what is no usable key, and `CONFLICT` for one that is known.
 */
export const addKey = async (ctx: Context, input: AddKeyInput): Promise<TrustedKey> => {
  const row = await changePlugins<KeyRow>(
    ctx,
    {
      type: "admin_action",
      action: "Trusted a publisher's key",
      severity: "high",
      description: input.label,
      described: ({ keyId, tier, names }) => ({ after: { keyId, tier, names } }),
    },
    async ({ tx, now, raise }) => {
      requireOperatorFor(ctx, input.tier);
      const read = ctx.plugins.readKey(input.publicKey);
      if ("problem" in read) throw validationError([{ path: "publicKey", message: read.problem }]);
      const added: KeyRow = {
        ...read,
        ...{ label: input.label, tier: input.tier, names: input.names },
        ...periodOf(input),
        ...{ revokedAt: null, addedBy: nameOfActor(ctx.actor), createdAt: now },
      };
      const isPinned = ctx.plugins.pinnedKeys.some(({ keyId }) => keyId === read.keyId);
      if (isPinned || !(await insertKey(tx, added))) throw new AppError("CONFLICT", pluginTexts.keyKnown);
      await raise();
      return added;
    },
  );
  await renewSignatures(ctx).catch((error) =>
    // The key is trusted all the same: this is about what is shown.
    ctx.log.warn("signatures of plugins could not be verified", { error: describeError(error) }),
  );
  return toTrustedKey(row);
};

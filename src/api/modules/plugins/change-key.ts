import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import { changePlugins } from "./change-plugins.ts";
import { type KeyTerms, periodOf, requireOperatorFor } from "./key-input.ts";
import { holdKey, type KeyRow, toTrustedKey, updateKey } from "./keys-store.ts";

/** Which key, and what of its terms is to be otherwise. */
export type ChangeKeyInput = { id: string } & { [Term in keyof KeyTerms]?: KeyTerms[Term] | undefined };

type Change = { before: KeyRow; after: KeyRow };

/**
 * Changes on what terms a key is trusted. For admins and the operator; what concerns keys that sign what runs inside the
 * server is the operator's alone (`FORBIDDEN`). Throws `NOT_FOUND`, and `CONFLICT` for a pinned or revoked key.
 */
export const changeKey = async (ctx: Context, { id, ...terms }: ChangeKeyInput): Promise<TrustedKey> => {
  const { after } = await changePlugins<Change>(
    ctx,
    {
      type: "admin_action",
      action: "Changed a publisher's key",
      severity: "high",
      description: id,
      described: ({ before, after: next }) =>
        isSame(before, next)
          ? null
          : { description: next.label, before: termsOf(before), after: termsOf(next) },
    },
    async ({ tx, raise }) => {
      const before = await holdOwnKey(ctx, tx, id);
      if (before.revokedAt !== null) throw new AppError("CONFLICT", pluginTexts.keyRevokedAlready);
      const { label, tier, names, notBefore, notAfter } = { ...toTrustedKey(before), ...given(terms) };
      requireOperatorFor(ctx, before.tier);
      requireOperatorFor(ctx, tier);
      const next = { ...before, label, tier, names, ...periodOf({ notBefore, notAfter }) };
      if (isSame(before, next)) return { before, after: before };
      const { keyId: _, publicKey: __, ...columns } = next;
      await updateKey(tx, id, columns);
      await raise();
      return { before, after: next };
    },
  );
  return toTrustedKey(after);
};

/** The key that admins added, held until the transaction ends. Throws `NOT_FOUND`, and `CONFLICT` for a pinned one. */
export const holdOwnKey = async (ctx: Context, tx: Database, id: string): Promise<KeyRow> => {
  const row = await holdKey(tx, id);
  if (row !== null) return row;
  if (ctx.plugins.pinnedKeys.some(({ keyId }) => keyId === id))
    throw new AppError("CONFLICT", pluginTexts.keyPinned);
  throw new AppError("NOT_FOUND", pluginTexts.keyUnknown);
};

const given = (terms: Omit<ChangeKeyInput, "id">): Partial<KeyTerms> =>
  Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== undefined));

const termsOf = ({ label, tier, names, notBefore, notAfter }: KeyRow) => ({
  ...{ label, tier, names, notBefore, notAfter },
});

const isSame = (one: KeyRow, other: KeyRow): boolean =>
  JSON.stringify(termsOf(one)) === JSON.stringify(termsOf(other));

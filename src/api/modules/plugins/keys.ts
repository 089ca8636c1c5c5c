import { nameOfActor, requireAdmin } from "#api/core/actor.ts";
import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { describeError } from "#api/core/describe-error.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { TrustedKey } from "#contract/plugins.ts";
import { changePlugins, enabledDependents, titleIn } from "./catalogue.ts";
import { renewSignatures } from "./packages.ts";
import {
  holdKey,
  type Installed,
  insertKey,
  type KeyRow,
  selectKeys,
  toTrustedKey,
  updateKey,
} from "./store.ts";
import { disableDependents, switchOff } from "./toggle-plugin.ts";

/**
 * Publishers' keys: those that the operator pinned, then those that admins added, including revoked ones. For admins
 * and the operator.
 */
export const listKeys = async (ctx: Context): Promise<TrustedKey[]> => {
  requireAdmin(ctx);
  return [...ctx.plugins.pinnedKeys, ...(await selectKeys(ctx.db)).map(toTrustedKey)];
};

/** A publisher's raw key in base64, and its terms. */
type AddKeyInput = KeyTerms & { publicKey: string };

/**
 * Trusts a publisher's key. For admins and the operator; a key that signs plugins inside the server only for the
 * operator (`FORBIDDEN`). Throws a 422 for an unusable key, and `CONFLICT` for one that already exists.
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
    // The key is trusted anyway: this only affects what is shown.
    ctx.log.warn("signatures of plugins could not be verified", { error: describeError(error) }),
  );
  return toTrustedKey(row);
};

/** Which key, and the terms to change. */
type ChangeKeyInput = { id: string } & { [Term in keyof KeyTerms]?: KeyTerms[Term] | undefined };

type Change = { before: KeyRow; after: KeyRow };

/**
 * Changes the terms of a key. For admins and the operator; keys that sign plugins inside the server only for the
 * operator (`FORBIDDEN`). Throws `NOT_FOUND`, and `CONFLICT` for a pinned or revoked key.
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

/** A key that admins added, locked until the transaction ends. Throws `NOT_FOUND`, and `CONFLICT` for a pinned one. */
const holdOwnKey = async (ctx: Context, tx: Database, id: string): Promise<KeyRow> => {
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

type Revoked = { key: KeyRow; stopped: Installed[]; off: string[] };

/**
 * Revokes a key permanently: every enabled plugin that it signed is stopped on every replica, and the plugins that need
 * those are disabled. For admins and the operator. Throws `NOT_FOUND`, and `CONFLICT` for a pinned or revoked key.
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
          // Servers refuse packages that name a revoked key, whether or not it signed them.
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

/** The terms of a key. */
type KeyTerms = Pick<TrustedKey, "label" | "tier" | "names" | "notBefore" | "notAfter">;

/** Throws `FORBIDDEN` if anyone but the operator lets a key sign plugins inside the server. */
const requireOperatorFor = ({ actor }: Context, tier: TrustedKey["tier"]): void => {
  if (tier === "native" && actor.kind !== "operator")
    throw new AppError("FORBIDDEN", pluginTexts.nativeByOperator);
};

/** The times between which a key is valid. Throws a 422 if they are reversed. */
const periodOf = ({
  notBefore,
  notAfter,
}: Pick<KeyTerms, "notBefore" | "notAfter">): { notBefore: Date | null; notAfter: Date | null } => {
  const from = notBefore === null ? null : new Date(notBefore);
  const until = notAfter === null ? null : new Date(notAfter);
  if (from !== null && until !== null && until <= from)
    throw validationError([{ path: "notAfter", message: pluginTexts.wrongPeriod }]);
  return { notBefore: from, notAfter: until };
};

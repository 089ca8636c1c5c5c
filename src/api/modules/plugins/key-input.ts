import { AppError, validationError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { pluginTexts } from "#contract/plugin-texts.ts";
import type { TrustedKey } from "#contract/plugins.ts";

/** What can be said of a key besides the key itself. */
export type KeyTerms = Pick<TrustedKey, "label" | "tier" | "names" | "notBefore" | "notAfter">;

/** Throws `FORBIDDEN` when anybody but the operator lets a key sign what runs inside the server. */
export const requireOperatorFor = ({ actor }: Context, tier: TrustedKey["tier"]): void => {
  if (tier === "native" && actor.kind !== "operator")
    throw new AppError("FORBIDDEN", pluginTexts.nativeByOperator);
};

/** The times between which a key counts. Throws a 422 when they are the wrong way round. */
export const periodOf = ({
  notBefore,
  notAfter,
}: Pick<KeyTerms, "notBefore" | "notAfter">): { notBefore: Date | null; notAfter: Date | null } => {
  const from = notBefore === null ? null : new Date(notBefore);
  const until = notAfter === null ? null : new Date(notAfter);
  if (from !== null && until !== null && until <= from)
    throw validationError([{ path: "notAfter", message: pluginTexts.wrongPeriod }]);
  return { notBefore: from, notAfter: until };
};

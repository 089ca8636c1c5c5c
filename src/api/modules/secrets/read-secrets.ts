import { requireOperator } from "#api/core/actor.ts";
import type { Context } from "#api/core/context.ts";
import type { SecretsStatus } from "./contract.ts";
import { keyCheckPlace, sealedPlaces } from "./sealed-places.ts";

/** Which keys there are, by their fingerprints, and how many values lie under which. For the operator. */
export const readSecrets = async (ctx: Context): Promise<SecretsStatus> => {
  requireOperator(ctx);
  const { fingerprint, previousFingerprint } = ctx.secrets;
  const places = await Promise.all(
    [...sealedPlaces, keyCheckPlace].map(async ({ table, column, count }) => ({
      table,
      column,
      ...(await count(ctx)),
    })),
  );
  return { fingerprint, previousFingerprint, places };
};

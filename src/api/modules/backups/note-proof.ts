import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import { requireOperator } from "#api/core/require-actor.ts";
import { backupTexts } from "#contract/backup-texts.ts";
import type { NoteProofInput } from "./contract.ts";
import { findKeyFingerprint, writeProof } from "./store.ts";

/** Notes a trial restore, which the terminal makes beside the server. For the operator. Throws `CONFLICT` for a backup of another installation. */
export const noteProof = async (ctx: Context, { name, madeAt, keyFingerprint, isSound }: NoteProofInput) => {
  requireOperator(ctx);
  await adminAction(
    ctx,
    {
      type: "admin_action",
      severity: isSound ? "low" : "high",
      status: isSound ? "success" : "failure",
      action: "Verified a backup",
      description: `${name}, made at ${madeAt}: ${isSound ? "sound" : "not sound"}`,
    },
    async (tx) => {
      if (keyFingerprint !== (await findKeyFingerprint(tx)))
        throw new AppError("CONFLICT", backupTexts.notOurs);
      await writeProof(tx, { at: ctx.clock.now().toISOString(), name, madeAt, isSound });
    },
  );
  return { message: backupTexts.proofNoted };
};

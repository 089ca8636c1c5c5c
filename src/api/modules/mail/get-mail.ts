import type { Context } from "#api/core/context.ts";
import { requireAdmin } from "#api/core/require-actor.ts";
import { findMail } from "./admin-store.ts";
import type { Mail } from "./contract.ts";
import { mailId, unknownMail } from "./mail-id.ts";

/** One mail, without its text. For admins and the operator. Throws `NOT_FOUND`. */
export const getMail = async (ctx: Context, { id }: { id: string }): Promise<Mail> => {
  requireAdmin(ctx);
  const mail = await findMail(ctx.db, mailId(id));
  if (mail === null) throw unknownMail();
  return mail;
};

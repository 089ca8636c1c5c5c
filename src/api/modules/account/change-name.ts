import { requireUser, toUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { User } from "#contract/users.ts";
import type { ChangeNameInput } from "./contract.ts";
import { changeAccount } from "./store.ts";

/** Gives the caller another name, without the space around it. */
export const changeName = async (ctx: Context, input: ChangeNameInput): Promise<User> => {
  const { id } = requireUser(ctx);
  const change = { name: input.name.trim(), updatedAt: ctx.clock.now() };
  const account = await changeAccount(ctx.db, id, change);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  ctx.events.publish({ type: "user-changed", userId: id });
  return toUser(account);
};

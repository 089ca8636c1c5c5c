import { requireUser, toUser } from "#api/core/actor.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { UserRow } from "#api/modules/users/index.ts";
import { type ProviderName, providerIdFields, type User } from "#contract/users.ts";
import type { Account, ChangeNameInput } from "./contract.ts";
import { changeAccount, findAccount, hasOtherAdmin } from "./store.ts";

/** The caller's own account. */
export const readAccount = async (ctx: Context): Promise<Account> => {
  const { id } = requireUser(ctx);
  const account = await findAccount(ctx.db, id);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  return {
    user: toUser(account),
    hasPassword: account.passwordHash !== null,
    providers: {
      google: connectionOf(ctx, account, "google"),
      github: connectionOf(ctx, account, "github"),
    },
    isLastAdmin: account.role === "admin" && !(await hasOtherAdmin(ctx.db, id)),
  };
};

const connectionOf = ({ providers }: Context, account: UserRow, name: ProviderName) => ({
  configured: providers[name] !== null,
  linked: account[providerIdFields[name]] !== null,
});

/** Gives the caller another name, without the space around it. */
export const changeName = async (ctx: Context, input: ChangeNameInput): Promise<User> => {
  const { id } = requireUser(ctx);
  const change = { name: input.name.trim(), updatedAt: ctx.clock.now() };
  const account = await changeAccount(ctx.db, id, change);
  if (!account) throw new AppError("NOT_SIGNED_IN");
  ctx.events.publish({ type: "user-changed", userId: id });
  return toUser(account);
};

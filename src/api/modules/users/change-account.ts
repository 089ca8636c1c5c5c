import type { ActivityEntry } from "#api/core/activity.ts";
import { refuseTokens, toUser } from "#api/core/actor.ts";
import { adminAction } from "#api/core/admin-action.ts";
import { AppError } from "#api/core/app-error.ts";
import type { Context } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import type { ActivitySeverity } from "#contract/activity.ts";
import { userTexts } from "#contract/user-texts.ts";
import type { AccountState } from "./contract.ts";
import { findUser, holdAdmins, type UserRow } from "./store.ts";

/** An account whose row is locked, as are those of all enabled admins. */
export type HeldAccount = {
  user: UserRow;
  /** Throws `LAST_ADMIN` when without this account nobody could look after the others. */
  requireAnotherAdmin(): void;
};

/** What came of a change, and what the log says of it beside whose account it was; `null`: nothing was changed. */
export type Changed<T> = {
  answer: T;
  recorded: Pick<ActivityEntry, "description" | "before" | "after"> | null;
};

type AccountChange<T> = {
  /** Id or address of the account. */
  handle: string;
  /** What is done, as the log says it. */
  action: string;
  severity: ActivitySeverity;
  /** What everybody is told once the change is committed. */
  events: ("user-changed" | "sessions-ended")[];
  change: (tx: Database, account: HeldAccount) => Promise<Changed<T>>;
};

/**
 * Changes one account in a transaction that holds it and records the change, then tells every part of every replica, so
 * that the change counts on the very next request. For admins and the operator; an admin's account is changed by no token
 * (`SESSION_REQUIRED`). Throws `NOT_FOUND` for an account that does not exist.
 */
export const changeAccount = async <T>(
  ctx: Context,
  { handle, action, severity, events, change }: AccountChange<T>,
): Promise<T> => {
  const { answer } = await adminAction<Changed<T> & { user: UserRow }>(
    ctx,
    {
      type: "admin_action",
      action,
      severity,
      description: handle,
      described: ({ user, recorded }) => recorded && { description: user.email, ...recorded },
      events: ({ user }) => events.map((type) => ({ type, userId: user.id })),
    },
    async (tx) => {
      const account = await holdAccount(tx, handle);
      if (account.user.role === "admin") refuseTokens(ctx);
      return { user: account.user, ...(await change(tx, account)) };
    },
  );
  return answer;
};

const holdAccount = async (tx: Database, handle: string): Promise<HeldAccount> => {
  const found = await findUser(tx, handle);
  if (!found) throw unknownUser();
  const admins = await holdAdmins(tx, found.id);
  // Read again: it may have been changed or removed while others held it.
  const user = await findUser(tx, found.id);
  if (!user) throw unknownUser();
  return {
    user,
    requireAnotherAdmin: () => {
      if (admins.length === 1 && admins[0] === user.id) throw new AppError("LAST_ADMIN");
    },
  };
};

/** The failure of a call about somebody who is not there. */
export const unknownUser = (): AppError => new AppError("NOT_FOUND", userTexts.unknown);

/** A row as the answers to changes show it. */
export const toAccountState = (row: UserRow): AccountState => ({
  ...toUser(row),
  disabled: row.disabledAt !== null,
});

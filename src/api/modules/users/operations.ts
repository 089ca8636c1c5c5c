import { implement } from "#api/core/implement.ts";
import { userTexts } from "#contract/user-texts.ts";
import { usersContract } from "./contract.ts";
import { createUser } from "./create-user.ts";
import { deleteUser } from "./delete-user.ts";
import { disableUser } from "./disable-user.ts";
import { enableUser } from "./enable-user.ts";
import { endSessions } from "./end-sessions.ts";
import { getUser } from "./get-user.ts";
import { listPending } from "./list-pending.ts";
import { listUsers } from "./list-users.ts";
import { removePending } from "./remove-pending.ts";
import { sendReset } from "./send-reset.ts";
import { setRole } from "./set-role.ts";
import { verifyPending } from "./verify-pending.ts";

/** What does the operations about accounts and registrations. */
export const usersOperations = implement("users", usersContract, {
  list: listUsers,
  get: getUser,
  pending: listPending,
  create: async (ctx, input) => ({ message: userTexts.added, data: await createUser(ctx, input) }),
  setRole: async (ctx, input) => {
    const { user, isChanged } = await setRole(ctx, input);
    return { message: isChanged ? userTexts.roleChanged : userTexts.roleKept, data: user };
  },
  disable: async (ctx, input) => ({ message: userTexts.disabled, data: await disableUser(ctx, input) }),
  enable: async (ctx, input) => ({ message: userTexts.enabled, data: await enableUser(ctx, input) }),
  sendReset: async (ctx, input) => ({ message: userTexts.resetMailed, data: await sendReset(ctx, input) }),
  signOut: async (ctx, input) => ({ message: userTexts.sessionsEnded, data: await endSessions(ctx, input) }),
  remove: async (ctx, input) => ({ message: userTexts.deleted, data: await deleteUser(ctx, input) }),
  verifyPending: async (ctx, input) => ({
    message: userTexts.verified,
    data: await verifyPending(ctx, input),
  }),
  removePending: async (ctx, input) => {
    await removePending(ctx, input);
    return { message: userTexts.registrationRemoved };
  },
});

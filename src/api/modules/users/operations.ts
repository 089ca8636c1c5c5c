import { implement } from "#api/core/implement.ts";
import { userTexts } from "#contract/auth-texts.ts";
import {
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  endSessions,
  resetSecondFactor,
  sendReset,
  setPassword,
  setRole,
} from "./change-users.ts";
import { usersContract } from "./contract.ts";
import { getUser, listFactors, listPending, listUsers, removePending, verifyPending } from "./list-users.ts";

/** What does the operations about accounts and registrations. */
export const usersOperations = implement("users", usersContract, {
  list: listUsers,
  get: getUser,
  factors: listFactors,
  pending: listPending,
  create: async (ctx, input) => ({ message: userTexts.added, data: await createUser(ctx, input) }),
  setRole: async (ctx, input) => {
    const { user, isChanged } = await setRole(ctx, input);
    return { message: isChanged ? userTexts.roleChanged : userTexts.roleKept, data: user };
  },
  disable: async (ctx, input) => ({ message: userTexts.disabled, data: await disableUser(ctx, input) }),
  enable: async (ctx, input) => ({ message: userTexts.enabled, data: await enableUser(ctx, input) }),
  sendReset: async (ctx, input) => ({ message: userTexts.resetMailed, data: await sendReset(ctx, input) }),
  setPassword: async (ctx, input) => ({
    message: userTexts.passwordSet,
    data: await setPassword(ctx, input),
  }),
  signOut: async (ctx, input) => ({ message: userTexts.sessionsEnded, data: await endSessions(ctx, input) }),
  resetSecondFactor: async (ctx, input) => ({
    message: userTexts.secondFactorReset,
    data: await resetSecondFactor(ctx, input),
  }),
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

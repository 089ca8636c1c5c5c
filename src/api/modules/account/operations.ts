import { implement } from "#api/core/implement.ts";
import { accountTexts, unlinked } from "#contract/account-texts.ts";
import { providerLabels } from "#contract/users.ts";
import { changePassword } from "./change-password.ts";
import { confirm } from "./confirm.ts";
import { accountContract } from "./contract.ts";
import { deleteAccount } from "./delete-account.ts";
import { exportAccount } from "./export-account.ts";
import { linkProvider, unlinkProvider } from "./linked-providers.ts";
import { endOtherSessions, endOwnSession, listOwnSessions } from "./own-sessions.ts";
import { changeName, readAccount } from "./profile.ts";

/** What does the operations about the own account. */
export const accountOperations = implement("account", accountContract, {
  get: readAccount,
  rename: async (ctx, input) => ({ message: accountTexts.renamed, user: await changeName(ctx, input) }),
  changePassword: async (ctx, input, { session, device }) => {
    session.set(await changePassword(ctx, { ...input, deviceToken: device.token }));
    return { message: accountTexts.passwordChanged };
  },
  confirm: async (ctx, input, { session }) => {
    const token = await confirm(ctx, input);
    if (token !== null) session.set(token);
    return { message: accountTexts.confirmed };
  },
  sessions: async (ctx) => ({ sessions: await listOwnSessions(ctx) }),
  endSession: async (ctx, input, { session }) => {
    const { isCurrent } = await endOwnSession(ctx, input);
    if (isCurrent) session.clear();
    return { message: accountTexts.sessionEnded };
  },
  endOtherSessions: async (ctx) => ({
    message: accountTexts.othersEnded,
    data: await endOtherSessions(ctx),
  }),
  link: async (ctx, input, { oauth }) => {
    const { url, browserSecret } = await linkProvider(ctx, { ...input, browserSecret: oauth.token });
    oauth.set(browserSecret);
    return { url };
  },
  unlink: async (ctx, input) => {
    const { provider } = await unlinkProvider(ctx, input);
    return { message: unlinked(providerLabels[provider]) };
  },
  remove: async (ctx, input, { session, device }) => {
    await deleteAccount(ctx, input);
    session.clear();
    device.clear();
    return { message: accountTexts.deleted };
  },
  export: exportAccount,
});

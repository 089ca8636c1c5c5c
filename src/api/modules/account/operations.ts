import { implement } from "#api/core/implement.ts";
import { accountTexts, unlinked } from "#contract/account-texts.ts";
import { providerLabels } from "#contract/users.ts";
import { accountContract } from "./contract.ts";
import { endOtherSessions } from "./end-other-sessions.ts";
import { exportAccount } from "./export-account.ts";
import { listOwnSessions } from "./list-own-sessions.ts";
import { readAccount } from "./read-account.ts";
import { unlinkProvider } from "./unlink-provider.ts";

/** What does the operations about the own account. */
export const accountOperations = implement("account", accountContract, {
  get: readAccount,
  sessions: async (ctx) => ({ sessions: await listOwnSessions(ctx) }),
  endOtherSessions: async (ctx) => ({
    message: accountTexts.othersEnded,
    data: await endOtherSessions(ctx),
  }),
  unlink: async (ctx, input) => {
    const { provider } = await unlinkProvider(ctx, input);
    return { message: unlinked(providerLabels[provider]) };
  },
  export: exportAccount,
});

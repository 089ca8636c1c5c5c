import { implement } from "#api/core/implement.ts";
import { emailChangeTexts } from "#contract/auth-texts.ts";
import { beginChange, checkChangeLink, finishChange, setEmail, stopOwnChange } from "./change-email.ts";
import { emailChangesContract } from "./contract.ts";

/** What does the operations of changes of email addresses. */
export const emailChangesOperations = implement("emailChanges", emailChangesContract, {
  begin: async (ctx, input) => {
    await beginChange(ctx, input);
    return { message: emailChangeTexts.begun };
  },
  stop: async (ctx) => {
    await stopOwnChange(ctx);
    return { message: emailChangeTexts.outcomes.stopped };
  },
  set: async (ctx, input) => ({ message: emailChangeTexts.set, data: await setEmail(ctx, input) }),
  check: checkChangeLink,
  finish: async (ctx, input) => {
    const data = await finishChange(ctx, input);
    return { message: emailChangeTexts.outcomes[data.state], data };
  },
});

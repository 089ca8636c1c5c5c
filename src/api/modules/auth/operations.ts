import { implement } from "#api/core/implement.ts";
import { authContract } from "./contract.ts";
import { checkResetLink, forgotPassword } from "./password-reset.ts";
import { listProviders } from "./providers.ts";
import { checkSetupLink } from "./setup-admin.ts";

/** What does the operations of sign-in that set no cookie. */
export const authOperations = implement("auth", authContract, {
  forgotPassword,
  checkResetLink,
  checkSetupLink,
  providers: listProviders,
});

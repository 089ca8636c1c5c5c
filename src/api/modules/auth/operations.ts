import { implement } from "#api/core/implement.ts";
import { authContract } from "./contract.ts";
import { forgotPassword } from "./forgot-password.ts";
import { listProviders } from "./list-providers.ts";
import { checkResetLink } from "./reset-password.ts";
import { checkSetupLink } from "./setup-admin.ts";

/** What does the operations of sign-in that set no cookie. */
export const authOperations = implement("auth", authContract, {
  forgotPassword,
  checkResetLink,
  checkSetupLink,
  providers: listProviders,
});

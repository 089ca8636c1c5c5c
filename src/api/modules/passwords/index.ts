export {
  forgetSignInFailures,
  removeOldSignInFailures,
  returnSignInTry,
  takeSignInTry,
} from "./failure-store.ts";
export { mailResetLink } from "./mail-reset-link.ts";
export { noTriesLeft } from "./no-tries-left.ts";
export { forgotPasswordLink } from "./password-links.ts";
export { replacePassword } from "./replace-password.ts";
export { findResetOwner, removeResetTokens, replaceResetToken, takeResetToken } from "./reset-store.ts";
export { removeWaysIn, selectWaysIn } from "./ways-in-store.ts";

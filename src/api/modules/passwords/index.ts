export {
  forgetSignInFailures,
  removeOldSignInFailures,
  returnSignInTry,
  takeSignInTry,
} from "./failure-store.ts";
export { mailResetLink } from "./mail-reset-link.ts";
export { forgotPasswordLink } from "./password-links.ts";
export { replacePassword } from "./replace-password.ts";
export { findResetOwner, takeResetToken } from "./reset-store.ts";

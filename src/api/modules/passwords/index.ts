export { noTriesLeft, replacePassword } from "./replace-password.ts";
export { forgotPasswordLink, mailResetLink } from "./reset-link.ts";
export {
  findResetOwner,
  forgetSignInFailures,
  removeOldSignInFailures,
  removeResetTokens,
  removeWaysIn,
  replaceResetToken,
  returnSignInTry,
  selectWaysIn,
  takeResetToken,
  takeSignInTry,
} from "./store.ts";

export { forgotPasswordLink, mailResetLink, noTriesLeft, replacePassword } from "./replace-password.ts";
export {
  findResetOwner,
  forgetSignInFailures,
  removeOldSignInFailures,
  removePassword,
  removeResetTokens,
  removeWaysIn,
  replaceResetToken,
  returnSignInTry,
  selectWaysIn,
  takeResetToken,
  takeSignInTry,
} from "./store.ts";

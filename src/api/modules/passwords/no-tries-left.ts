import { AppError } from "#api/core/app-error.ts";
import { authTexts } from "#contract/auth-texts.ts";

// Waiting does not help here, but a client that only knows how to wait must not ask often.
const retryAfterS = 60 * 60;

/** The refusal of a password when its address has had too many wrong ones in a row: only a reset helps. */
export const noTriesLeft = (): AppError =>
  new AppError("RATE_LIMITED", authTexts.signInNeedsReset, { retryAfterS });

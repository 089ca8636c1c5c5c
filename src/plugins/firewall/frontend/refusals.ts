import { failureText } from "@atrium/plugin-sdk/ui";
import { texts } from "./texts.ts";

/** The status and code of a refused call; `null` for any other failure. */
const refusalOf = (error: unknown): { status: unknown; code: unknown } | null =>
  error instanceof Error && "status" in error && "code" in error
    ? { status: error.status, code: error.code }
    : null;

/** Whether somebody else changed the rules meanwhile, or has a change waiting. */
export const isConflict = (error: unknown): boolean => {
  const refusal = refusalOf(error);
  return refusal?.status === 409 && refusal.code === "CONFLICT";
};

// Of the firewall's 409s only this one is not called a conflict.
const wouldShutOut = (error: unknown): boolean => {
  const refusal = refusalOf(error);
  return refusal?.status === 409 && refusal.code !== "CONFLICT";
};

/** A call that no answer came to. */
class NoAnswer extends Error {
  constructor(cause: unknown) {
    super(texts.noAnswer, { cause });
    this.name = "NoAnswer";
  }
}

/** Whether the server gave no answer at all. */
export const isUnreachable = (error: unknown): boolean => error instanceof NoAnswer;

/** What a call was rejected with: a refusal as it is, and for anything else, as a connection that broke, {@link NoAnswer}. */
export const rejectionOf = (error: unknown): unknown =>
  refusalOf(error) === null ? new NoAnswer(error) : error;

/** Whether there is nothing under what was asked for. */
export const isAbsent = (error: unknown): boolean => refusalOf(error)?.status === 404;

/** Whether the firewall refuses whoever asks. */
export const isShutOut = (error: unknown): boolean => {
  const status = refusalOf(error)?.status;
  return status === 403 || status === 429;
};

/** Why a change was not saved, and what to do next. */
export const saveFailure = (error: unknown): string => {
  if (isUnreachable(error)) return texts.offline;
  const words = failureText(error, texts.saveFailed);
  if (isConflict(error)) return `${words} ${texts.conflict}`;
  return wouldShutOut(error) ? `${words} ${texts.ownAddress}` : words;
};

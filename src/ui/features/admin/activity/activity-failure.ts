import { ApiError } from "#ui/lib/api.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { reasonPhrase } from "../load-failure.ts";

/** The sentence for activities that did not come: the server's own, else status and reason, else that nobody answered. */
export const activityFailure = (error: unknown): string => {
  if (!(error instanceof ApiError)) return String(error);
  const { status, message } = error;
  return failureText(error, `HTTP ${status}: ${reasonPhrase(status) ?? "Error"}`, message);
};

import { ApiError } from "#ui/lib/api.ts";

/**
 * The sentence for a failed call: the server's own, or that the answer took too long; else `fallback` (also when the
 * answer held no message), and `offline` when there was no connection.
 */
export const failureText = (error: unknown, fallback: string, offline: string = fallback): string => {
  if (!(error instanceof ApiError) || error.code === "UNKNOWN") return fallback;
  return error.code === "NETWORK" ? offline : error.message;
};

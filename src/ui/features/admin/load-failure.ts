import { ApiError } from "#ui/lib/api.ts";

/** The sentence for an admin page whose data did not come. */
export const loadFailureText = (error: unknown): string => {
  if (error instanceof ApiError && error.status > 0) {
    return `Failed to load admin data: ${error.status} ${reasonPhrase(error.status) ?? error.message}`;
  }
  return `Error connecting to admin API: ${error instanceof Error ? error.message : String(error)}`;
};

/** The usual words for a status, `undefined` for one that is rarely seen. */
export const reasonPhrase = (status: number): string | undefined => reasons[status];

// HTTP/2 and 3 carry no reason phrase, so the usual ones are kept here. Source: RFC 9110 §15.
const reasons: Record<number, string> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

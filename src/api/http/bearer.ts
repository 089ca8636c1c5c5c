import { apiTokenPrefix } from "#api/core/api-token.ts";
import type { AppError } from "#api/core/app-error.ts";
import type { TokenFault } from "./token-source.ts";

/**
 * The API token that a call came with, and what became of it: `fault` and `refusal` once it was found to be no good,
 * `challenge` where the answer is to say what a token would need (RFC 6750 §3).
 */
export type Bearer = {
  readonly token: string;
  fault: TokenFault | null;
  refusal: AppError | null;
  challenge: string | null;
};

const scheme = /^bearer(?: +|$)/i;

/**
 * The API token in an `Authorization` header, whatever is wrong with it, an empty one too: it comes from a variable that was
 * not set. `null` for every other credential: proxies have their own, and so have those who watch the process.
 */
export const readBearer = (header: string | null): Bearer | null => {
  if (header === null || !scheme.test(header)) return null;
  const token = header.replace(scheme, "").trim();
  const isOurs = token === "" || token.startsWith(apiTokenPrefix);
  return isOurs ? { token, fault: null, refusal: null, challenge: null } : null;
};

import { apiTokenPrefix } from "#api/core/actor.ts";
import type { Bearer } from "#api/door/passage.ts";

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

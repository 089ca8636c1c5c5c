import type { Verdict } from "#api/plugin-host/guard/guard.ts";

const signIn = new Set(["/login", "/api/auth/login", "/api/auth/user"]);

/**
 * Whether a request is on the way to signing in, which no rule of a plugin may close to everybody: those about places
 * apply to it, those about texts and frequency do not. Guessing passwords has bounds of its own.
 */
export const isWayIn = (path: string, verdict: Verdict): boolean =>
  "by" in verdict &&
  (verdict.by === "pattern" || verdict.by === "rate") &&
  (signIn.has(path) || path.startsWith("/assets/"));

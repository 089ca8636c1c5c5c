/**
 * The calls with GET that change something, by their paths as the API's description writes them: those that browsers are led
 * to. A test holds them to the routes.
 */
export const changingReads = [
  "/api/auth/github/callback",
  "/api/auth/google/callback",
  "/api/auth/logout",
  "/api/auth/verify-email/{token}",
] as const;

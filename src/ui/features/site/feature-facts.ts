/** What the security panel states; docs/security-checks.md says where each is tested. */
export const securityFacts = [
  { name: "Passwords", value: "argon2id, bounded queue" },
  { name: "Sessions", value: "256-bit, stored hashed" },
  { name: "Mailed links", value: "single use, 24 hours at most" },
  { name: "Guessing", value: "limited per account and address" },
  { name: "Cookies", value: "HttpOnly, SameSite, three in all" },
] as const;

/** Budgets that the build's tests hold, in brotli bytes, with the bar's length in percent of the largest. */
export const firstLoad = [
  { name: "A public page with its styles", limit: "≤ 14 kB", width: 7 },
  { name: "Script before you interact", limit: "≤ 2 kB", width: 1 },
  { name: "All pages, as you need them", limit: "≤ 200 kB", width: 100 },
] as const;

/** How the product behaves without and with the variables that matter in a cloud. Source: docs/configuration.md. */
export const cloudVariables = [
  { name: "DATABASE_URL", unset: "unset: embedded PostgreSQL", set: "your PostgreSQL server" },
  { name: "SMTP_URL", unset: "unset: outbox folder", set: "your mail server" },
  { name: "APP_URL", unset: "unset: localhost", set: "links, origin rule, Secure cookies" },
  { name: "LOG_FORMAT", unset: "pretty on a terminal", set: "json for your collector" },
] as const;

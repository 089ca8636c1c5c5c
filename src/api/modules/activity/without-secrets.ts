import { withoutApiTokens } from "#api/core/actor.ts";

const removed = "[removed]";
const secretName =
  /pass(?:word|phrase)|secret|token|api.?key|private.?key|credential|cookie|authorization|hash$/i;
// To the last @ before the path: a password may hold one.
const passwordInUrl = /(:\/\/[^\s/:@]*):[^\s/]+@/g;
const namedSecret = /\b(bearer\s+|(?:sid|token|key|secret|password)\s*[=:]\s*)[^\s,;&"']+/gi;
// What our own tokens look like: 32 random bytes in base64url. They never lack capitals or small letters (1 in 10^9), but
// 1 in 1,500 has no digit; other long words of both are only taken for tokens when they have one.
const ownToken = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])[\w-]{43}(?![\w-])/g;
const tokenShaped = /(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{40,}(?![\w-])/g;

const deepest = 6;
const mostEntries = 100;
const longestText = 1_000;

/** The text without passwords in addresses and without anything that looks like a token. */
export const textWithoutSecrets = (text: string): string =>
  // API tokens last: one of our other tokens may hold their prefix, and would be cut in two.
  withoutApiTokens(
    text
      .replace(passwordInUrl, `$1:${removed}@`)
      .replace(namedSecret, `$1${removed}`)
      .replace(ownToken, removed)
      .replace(tokenShaped, removed),
  );

/**
 * A copy of a JSON value without secrets: fields whose names speak of one say `[removed]` (but for yes, no and nothing,
 * which tell only whether there is one), and texts lose what looks like one. Deep, long and large values are cut.
 */
export const withoutSecrets = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string") return textWithoutSecrets(value.slice(0, longestText));
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
  if (depth >= deepest) return "…";
  if (Array.isArray(value))
    return value.slice(0, mostEntries).map((entry) => withoutSecrets(entry, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, mostEntries)
      .map(([name, entry]) => [
        name,
        secretName.test(name) && tells(entry) ? removed : withoutSecrets(entry, depth + 1),
      ]),
  );
};

const tells = (value: unknown): boolean =>
  value !== null && value !== undefined && typeof value !== "boolean" && value !== "";

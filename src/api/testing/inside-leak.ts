/** What tells of the inside of a server, by what it is; nothing that is sent to callers may hold any of it. */
const signs: readonly (readonly [what: string, sign: RegExp])[] = [
  ["a stack", /\n\s+at .+:\d+:\d+|\bat \S+ \(\/|\bnode_modules\b/],
  ["a hash of a password", /\$argon2|cheap\$/],
  ["a private key", /PRIVATE KEY/],
  // Statements as they are written here: names in double quotes tell them from what people type.
  [
    "a statement",
    /\b(?:select\b[^;]{1,500}\bfrom|insert into|delete from|update)\s+\\?"[a-z_]+\\?"|Failed query:/i,
  ],
  ["a path of the disk", /(?<![\w.:/-])\/(?:tmp|home|root|var|usr|work)\/[\w.-]/],
];

const ownFolder = `${process.cwd()}/`;

/** What of the inside is told in a text, or `null`. */
export const insideLeak = (text: string): string | null =>
  signs.find(([, sign]) => sign.test(text))?.[0] ?? (text.includes(ownFolder) ? "a path of the disk" : null);

/** A line for each header, `set-cookie` without the session that the caller sent. */
export const headersAsSent = (headers: Headers, cookie: string | null): string =>
  [...headers]
    .map(([name, value]) => `${name}: ${cookie === null ? value : value.replace(cookie, "")}`)
    .join("\n");

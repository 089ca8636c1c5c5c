/** Takes what nobody may read out of a text of others. */
export type Strike = (text: string) => string;

/**
 * Takes user and password of `smtpUrl` out of what a mail server says, in every spelling in which it was given them: as
 * they are, as they stand in the address, and as the sign-in sends them.
 */
export const strikeSmtpSecrets = (smtpUrl: string): Strike => {
  const { username, password } = new URL(smtpUrl);
  const [user, secret] = [decoded(username), decoded(password)];
  const secrets =
    secret === "" ? [] : [secret, password, `\0${user}\0${secret}`, `${user}\0${user}\0${secret}`];
  const names = user === "" ? [] : [user, username];
  const struck = [
    ...secrets.flatMap(spellings).map(literally),
    // A name such as `mail` is part of many words, and of no use by itself.
    ...names.flatMap(spellings).map((name) => `(?<![\\p{L}\\p{N}])${literally(name)}(?![\\p{L}\\p{N}])`),
  ].toSorted((one, other) => other.length - one.length);
  if (struck.length === 0) return (text) => text;
  const all = new RegExp(struck.join("|"), "giu");
  return (text) => text.replace(all, "[…]");
};

/**
 * As it is, as it is written in an address, as it looks to whoever takes its bytes for Latin letters, and in base64, of
 * which servers may leave out what fills the end up.
 */
const spellings = (text: string): string[] => {
  const bytes = Buffer.from(text);
  const inBase64 = bytes.toString("base64").replace(/=+$/, "");
  return [
    ...[text, encodeURIComponent(text), bytes.toString("latin1")],
    ...[`${inBase64}==`, `${inBase64}=`, inBase64, bytes.toString("base64url")],
  ];
};

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Percent signs that encode nothing stand for themselves. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

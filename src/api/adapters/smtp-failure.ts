import type { SendOutcome } from "./outgoing-mail.ts";

type SmtpError = { code: string; command: string; responseCode: number; response: string; message: string };

/**
 * Sorts what nodemailer throws. Stages and codes: RFC 5321 §4.2, enhanced status codes: RFC 3463. `strike` knows what we
 * told the server.
 */
export const smtpFailure = (error: unknown, strike: Strike): Exclude<SendOutcome, { kind: "sent" }> => {
  const failure = readError(error);
  return { kind: kindOf(failure), reason: reasonOf(failure, strike) };
};

/**
 * What a server said, for people to read: servers quote what they dislike, and no password, link, token or control
 * character is to come back in their words.
 */
export const serverWords = (text: string, strike: Strike): string =>
  strike(text)
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, "[link]")
    .replace(/[\w-]{24,}/g, "[…]")
    .slice(0, 240);

const kindOf = ({ code, command, responseCode, response }: SmtpError) => {
  // 421: the server is about to hang up, whatever was asked.
  if (responseCode === 421 || !["EENVELOPE", "EMESSAGE"].includes(code)) return "unreachable";
  // No answer in it: nodemailer itself found the address impossible.
  if (responseCode === 0) return "refused";
  const isAboutRecipientOrText = command === "RCPT TO" || command === "DATA";
  const isForGood = responseCode >= 500 && isAboutRecipientOrText && !isAboutSender(response);
  return isForGood ? "refused" : "postponed";
};

/** Whether we are not trusted to send (no sign-in, no relaying, failed sender checks): the operator can fix that. */
const isAboutSender = (response: string): boolean =>
  /^5\d\d[ -]5\.7\.\d/.test(response) || /^53\d/.test(response) || /relay/i.test(response);

const reasonOf = (failure: SmtpError, strike: Strike): string => {
  const { code, command, response, message } = failure;
  const where = command === "" || command === "CONN" || command === "API" ? code : `${code} at ${command}`;
  const words = isSignIn(failure) ? signInWords(response) : serverWords(response || message, strike);
  return `${where}: ${words}`.slice(0, 240);
};

const isSignIn = ({ code, command }: SmtpError): boolean => code === "EAUTH" || command.startsWith("AUTH");

/** Nothing but the codes: whatever a server says to a password may be about the password. */
const signInWords = (response: string): string => {
  const [status = ""] = /^[2-5]\d\d(?:[ -][245]\.\d{1,3}\.\d{1,3}(?=\s|$))?/.exec(response) ?? [];
  return `${status} the sign-in did not succeed`.trim().replace("-", " ");
};

const readError = (error: unknown): SmtpError => {
  const field = (name: string): unknown =>
    Object(error) === error ? Reflect.get(Object(error), name) : undefined;
  const text = (name: string): string => String(field(name) ?? "");
  return {
    code: text("code") || "EUNKNOWN",
    command: text("command"),
    responseCode: Number(field("responseCode") ?? 0),
    response: text("response"),
    message: text("message") || String(error),
  };
};

/** Takes what no one may read out of a text of others. */
export type Strike = (text: string) => string;

/**
 * Takes user and password of `smtpUrl` out of what a mail server says, in every spelling in which it was given them: as
 * they are, as they are in the address, and as the sign-in sends them.
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

/**
 * How every connection to the mail server is made: a password never crosses a network unencrypted, and a server that falls
 * silent at any point is left after `silenceMs`.
 */
export const smtpOptions = (smtpUrl: string, silenceMs: number) => ({
  requireTLS: sendsPasswordAway(smtpUrl),
  connectionTimeout: silenceMs,
  greetingTimeout: silenceMs,
  socketTimeout: silenceMs,
  dnsTimeout: silenceMs,
});

/** Host and port of the mail server, without user and password; the port that its protocol has unless one is given. */
export const smtpServer = (smtpUrl: string): { host: string; port: number; name: string } => {
  const { protocol, hostname, port } = new URL(smtpUrl);
  const usual = protocol === "smtps:" ? 465 : 587;
  const given = port === "" ? usual : Number(port);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: given, name: `${hostname}:${given}` };
};

const sendsPasswordAway = (smtpUrl: string): boolean => {
  const { password, hostname } = new URL(smtpUrl);
  return password !== "" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
};

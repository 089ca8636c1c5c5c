import type { SendOutcome } from "./eml-transport.ts";

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

/** The steps of a test email, in their order, with the names that admins read. */
export const smtpSteps = {
  address: "Address",
  connection: "Connection",
  encryption: "Encryption",
  login: "Sign-in",
  delivery: "Delivery",
} as const;

/** One of these steps. */
export type SmtpStep = keyof typeof smtpSteps;

/** Why a step failed, and what to do about it; neither holds a secret. */
type SmtpComplaint = { step: SmtpStep; message: string; remedy: string };

/** What was tried, with which server (host and port), and what is struck from its words. */
type SmtpTry = { step: SmtpStep; server: string; strike: Strike };

/**
 * What a failure of the library means for whoever set the server up; a failure to connect is told apart into connection and
 * encryption.
 */
export const smtpComplaint = (error: unknown, { step, server, strike }: SmtpTry) => {
  const seen = read(error);
  const known = complaints.find((each) => each.steps.includes(step) && each.when(seen));
  const { reason } = smtpFailure(error, strike);
  if (known === undefined) return { step, message: reason, remedy: general };
  return {
    step: known.step ?? step,
    message: known.message(server, reason),
    remedy: known.remedy,
  } satisfies SmtpComplaint;
};

type Seen = { code: string; command: string; status: number; text: string };
type Known = {
  steps: readonly SmtpStep[];
  when: (seen: Seen) => boolean;
  /** Where it belongs, when that is not what was tried. */
  step?: SmtpStep;
  message: (server: string, reason: string) => string;
  remedy: string;
};

const general = "Check SMTP_URL, and what the mail server's own log says.";
const certificate =
  "Use a certificate that is valid for the name in SMTP_URL, or the server name in its certificate.";

// The first that fits counts. What the library says in words stands nowhere else: the system's codes are overwritten.
const complaints: readonly Known[] = [
  {
    steps: ["address"],
    when: ({ code }) => code === "ENOTFOUND",
    message: (server) => `The name in ${server} is unknown`,
    remedy: "Check the host name in SMTP_URL.",
  },
  {
    steps: ["address"],
    when: () => true,
    message: (server) => `The name in ${server} could not be resolved`,
    remedy: "Check the name server of this machine, or try again in a moment.",
  },
  {
    steps: ["connection"],
    step: "encryption",
    when: ({ text }) => /self[- ]signed/i.test(text),
    message: (server) => `The certificate of ${server} is self-signed`,
    remedy: certificate,
  },
  {
    steps: ["connection"],
    step: "encryption",
    when: ({ text }) => /expired/i.test(text),
    message: (server) => `The certificate of ${server} has expired`,
    remedy: "Renew the certificate of the mail server.",
  },
  {
    steps: ["connection"],
    step: "encryption",
    when: ({ text }) => /altname|does not match|hostname\/ip/i.test(text),
    message: (server) => `The certificate of ${server} is for another host`,
    remedy: certificate,
  },
  {
    steps: ["connection"],
    step: "encryption",
    when: ({ text }) => /certificate/i.test(text),
    message: (server) => `The certificate of ${server} is not trusted`,
    remedy: certificate,
  },
  {
    steps: ["connection"],
    step: "encryption",
    when: ({ command, text }) => command === "STARTTLS" || /required STARTTLS/i.test(text),
    message: (server) => `${server} offers no encryption, so a password would be sent unencrypted`,
    remedy: "Use smtps:// with port 465, or a server that offers STARTTLS.",
  },
  {
    steps: ["connection"],
    step: "encryption",
    when: ({ code, text }) => code === "ETLS" || /\b(?:ssl|tls)\b|wrong.version|packet length/i.test(text),
    message: (server) => `${server} does not speak TLS as expected`,
    remedy: "Use smtps:// for servers with TLS from the start, usually port 465, and smtp:// for others.",
  },
  {
    steps: ["connection"],
    when: ({ text }) => /ECONNREFUSED|refused/i.test(text),
    message: (server) => `${server} refuses connections`,
    remedy: "Check the port in SMTP_URL, and that the mail server is running.",
  },
  {
    steps: ["connection"],
    when: ({ code, text }) => code === "ETIMEDOUT" || /timed? ?out|EHOSTUNREACH|ENETUNREACH/i.test(text),
    message: (server) => `${server} does not respond`,
    remedy:
      "Check host and port in SMTP_URL, and that no firewall is in between: many providers block port 25. " +
      "A server with TLS from the start needs smtps://.",
  },
  {
    steps: ["connection"],
    when: ({ code, text }) => code === "EPROTOCOL" || /closed unexpectedly/i.test(text),
    message: (server) => `${server} does not respond like a mail server`,
    remedy: "Check the port in SMTP_URL: 465 needs smtps://, 587 and 25 need smtp://.",
  },
  {
    steps: ["login"],
    when: ({ status }) => status >= 500,
    message: (_, reason) => `The server refused the user name or the password (${reason})`,
    remedy:
      "Check both in SMTP_URL, with reserved characters percent-encoded. Some providers require an app password.",
  },
  {
    steps: ["delivery"],
    when: ({ command, status }) => command === "MAIL FROM" && status >= 500,
    message: (_, reason) => `The server does not accept this sender (${reason})`,
    remedy: "Set MAIL_FROM to an address that the mail server may send for.",
  },
  {
    steps: ["delivery"],
    when: ({ text }) => /relay/i.test(text),
    message: (_, reason) => `The server does not relay emails for this server (${reason})`,
    remedy:
      "Add the user name and password of the mail server to SMTP_URL, or let it relay for this machine.",
  },
  {
    steps: ["delivery"],
    when: ({ command, status }) => command === "RCPT TO" && status >= 500,
    message: (_, reason) => `The server refused the recipient (${reason})`,
    remedy: "Check the address, or try another one.",
  },
  {
    steps: ["delivery", "login"],
    when: ({ status }) => status >= 400 && status < 500,
    message: (_, reason) => `The server postponed it (${reason})`,
    remedy: "Try again in a few minutes. Waiting emails are tried again automatically.",
  },
  {
    steps: ["delivery"],
    when: ({ command, status }) => command === "DATA" && status >= 500,
    message: (_, reason) => `The server refused the content (${reason})`,
    remedy: "Ask the operator of the mail server for the reason; often the sender is taken for spam.",
  },
];

const read = (error: unknown): Seen => {
  const field = (name: string): unknown => Reflect.get(Object(error), name);
  return {
    code: String(field("code") ?? ""),
    command: String(field("command") ?? ""),
    status: Number(field("responseCode") ?? 0),
    text: `${String(field("message") ?? error)} ${String(field("response") ?? "")}`,
  };
};

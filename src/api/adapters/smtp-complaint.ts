import { type Strike, smtpFailure } from "./smtp-failure.ts";

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
export type SmtpTry = { step: SmtpStep; server: string; strike: Strike };

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

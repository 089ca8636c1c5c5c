import type { SendOutcome } from "./outgoing-mail.ts";

type SmtpError = { code: string; command: string; responseCode: number; response: string; message: string };

/** Sorts what nodemailer throws. Stages and codes: RFC 5321 §4.2, enhanced status codes: RFC 3463. */
export const smtpFailure = (error: unknown): Exclude<SendOutcome, { kind: "sent" }> => {
  const failure = readError(error);
  return { kind: kindOf(failure), reason: reasonOf(failure) };
};

const kindOf = ({ code, command, responseCode, response }: SmtpError) => {
  // 421: the server is about to hang up, whatever was asked.
  if (responseCode === 421 || !["EENVELOPE", "EMESSAGE"].includes(code)) return "unreachable";
  // No answer in it: nodemailer itself found the address impossible.
  if (responseCode === 0) return "refused";
  const isAboutRecipientOrText = command === "RCPT TO" || command === "DATA";
  const isForGood = responseCode >= 500 && isAboutRecipientOrText && !isOurStanding(response);
  return isForGood ? "refused" : "postponed";
};

/** Whether we are not trusted to send (no sign-in, no relaying, failed sender checks): the operator can mend that. */
const isOurStanding = (response: string): boolean =>
  /^5\d\d[ -]5\.7\.\d/.test(response) || /^53\d/.test(response) || /relay/i.test(response);

const reasonOf = ({ code, command, response, message }: SmtpError): string => {
  const where = command === "" || command === "CONN" || command === "API" ? code : `${code} at ${command}`;
  return `${where}: ${withoutSecrets(response || message)}`.slice(0, 240);
};

/** Servers quote what they dislike: links, tokens and control characters do not get into the outbox's record. */
const withoutSecrets = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, "[link]")
    .replace(/[\w-]{24,}/g, "[…]");

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

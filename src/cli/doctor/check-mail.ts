import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Check, fail, ok } from "./check.ts";

const name = "mail";

/** Connects to the mail server and waits for its greeting, `deadlineMs` at most; nothing is sent but the goodbye. */
export const checkMail = async (smtpUrl: string | null, deadlineMs = 5_000): Promise<Check> => {
  if (smtpUrl === null)
    return ok(name, "no SMTP_URL: mails are written to the outbox folder and their links to the log");
  const url = new URL(smtpUrl);
  const isTls = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (isTls ? 465 : 587));
  // TLS knows servers by name; an address has none to tell.
  const servername = isIP(host) > 0 ? {} : { servername: host };
  const open = () => (isTls ? connectTls({ host, port, ...servername }) : connectPlain({ host, port }));
  const problem = await greetingProblem(open, deadlineMs);
  const target = `${host}:${port}`;
  return problem === null
    ? ok(name, `${target} greets (the user name and password were not tried)`)
    : fail(name, `${target}: ${problem}`, "check SMTP_URL, and that this machine may connect to it");
};

const greetingProblem = (open: () => Socket, deadlineMs: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = open();
    let received = "";
    const finish = (problem: string | null) => {
      socket.end("QUIT\r\n");
      socket.destroySoon();
      resolve(problem);
    };
    socket.setTimeout(deadlineMs, () => finish("no greeting in time"));
    socket.on("error", (error) => finish(causes.get(codeOf(error)) ?? `cannot connect (${codeOf(error)})`));
    socket.on("end", () => finish("closed the connection without a greeting"));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.length < 4) return;
      finish(received.startsWith("220") ? null : "does not greet like a mail server");
    });
  });

const causes = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ENOTFOUND", "unknown host name"],
  ["EAI_AGAIN", "the host name could not be looked up"],
  ["ETIMEDOUT", "no answer"],
  ["EHOSTUNREACH", "no route to the host"],
  ["ENETUNREACH", "no route to the network"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "its certificate is self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "its certificate is self-signed"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "its certificate is not trusted"],
  ["CERT_HAS_EXPIRED", "its certificate has expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "its certificate is for another host"],
]);

const codeOf = (error: Error): string => String(Reflect.get(error, "code") ?? error.name);

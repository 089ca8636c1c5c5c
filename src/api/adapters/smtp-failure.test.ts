import { expect, test } from "bun:test";
import { smtpFailure } from "./smtp-failure.ts";

/** Nothing of ours is in these words. */
const asItIs = (text: string): string => text;

const failure = (code: string, command: string, response = "") =>
  Object.assign(new Error(response || "it failed"), {
    code,
    command,
    response,
    ...(response ? { responseCode: Number(response.slice(0, 3)) } : {}),
  });

test.each([
  ["an unknown recipient", failure("EENVELOPE", "RCPT TO", "550 5.1.1 No such user"), "refused"],
  [
    "an address that the server cannot parse",
    failure("EENVELOPE", "RCPT TO", "501 5.1.3 Bad address"),
    "refused",
  ],
  ["an address that the library cannot use", failure("EENVELOPE", "API"), "refused"],
  ["a text that is refused", failure("EMESSAGE", "DATA", "554 5.6.0 Message malformed"), "refused"],
  [
    "a full mailbox that may be emptied",
    failure("EENVELOPE", "RCPT TO", "452 4.2.2 Mailbox full"),
    "postponed",
  ],
  ["greylisting", failure("EENVELOPE", "RCPT TO", "450 4.7.1 Try again in 5 minutes"), "postponed"],
  ["a text put off", failure("EMESSAGE", "DATA", "451 4.3.0 Local error"), "postponed"],
  [
    "a sender the operator has to fix",
    failure("EENVELOPE", "MAIL FROM", "550 5.1.0 Sender rejected"),
    "postponed",
  ],
  ["no right to relay", failure("EENVELOPE", "RCPT TO", "554 5.7.1 Relay access denied"), "postponed"],
  [
    "no right to relay, in other words",
    failure("EENVELOPE", "RCPT TO", "550 relay not permitted"),
    "postponed",
  ],
  ["failed sender checks", failure("EMESSAGE", "DATA", "550-5.7.26 Unauthenticated email"), "postponed"],
  ["a missing sign-in", failure("EENVELOPE", "RCPT TO", "530 Authentication required"), "postponed"],
  ["a wrong password", failure("EAUTH", "AUTH PLAIN", "535 5.7.8 Bad credentials"), "unreachable"],
  ["a server about to hang up", failure("EENVELOPE", "RCPT TO", "421 4.3.2 Shutting down"), "unreachable"],
  ["a refused connection", failure("ESOCKET", "CONN"), "unreachable"],
  ["a silent server", failure("ETIMEDOUT", "CONN"), "unreachable"],
  ["a try that was ended", failure("EABORT", ""), "unreachable"],
  ["something unheard of", new Error("odd"), "unreachable"],
  ["something that is no error", "odd", "unreachable"],
] as const)("%s counts as what it is", (_what, error, kind) => {
  expect(smtpFailure(error, asItIs).kind).toBe(kind);
});

test("A4: what a server quotes leaves no link, token or control character in the reason", () => {
  const { reason } = smtpFailure(
    failure(
      "EMESSAGE",
      "DATA",
      "554 5.6.0 bad link https://a.example/verify-email?token=q7Vw2mX9Lr4TzNb8cYd1KfHs6JgPe3Ua\r\n token q7Vw2mX9Lr4TzNb8cYd1KfHs6JgPe3Ua\u001b[31m",
    ),
    asItIs,
  );
  expect(reason).toBe("EMESSAGE at DATA: 554 5.6.0 bad link [link]  token […] [31m");
});

test("a reason stays short", () => {
  expect(
    smtpFailure(failure("EMESSAGE", "DATA", `554 ${"no ".repeat(500)}`), asItIs).reason.length,
  ).toBeLessThanOrEqual(240);
});

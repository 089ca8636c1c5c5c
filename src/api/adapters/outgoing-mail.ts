import type { Mail } from "#api/core/context.ts";

/** An email on its way out. `id` is its row in the outbox and makes the Message-ID: the same at every try. */
export type OutgoingMail = Mail & { id: string; createdAt: Date };

/**
 * How a try to send ended. `refused`: this email will never be taken. `postponed`: not now, but other emails may pass.
 * `unreachable`: nothing can be sent at the moment. `reason` is for people and holds no secret, link or token.
 */
export type SendOutcome =
  | { kind: "sent" }
  | { kind: "refused" | "postponed" | "unreachable"; reason: string };

/** Whom emails are from, as `name@host` or `Name <name@host>`; a function where that can change. */
export type Sender = string | (() => string);

/** The way out of the house. */
export type MailTransport = {
  readonly kind: "smtp" | "outbox";
  /** Never rejects for what the other side does; aborting `signal` ends a try that hangs. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<SendOutcome>;
  close(): Promise<void>;
};

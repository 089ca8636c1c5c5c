import { noteActivity } from "#api/core/activity.ts";
import { AppError } from "#api/core/app-error.ts";
import { networkOf, placeBudgets } from "#api/core/circumstances.ts";
import { type Context, runBefore } from "#api/core/context.ts";
import type { Database } from "#api/core/database.ts";
import { hashToken, newId } from "#api/core/ids.ts";
import { contactMail } from "#api/modules/mail/index.ts";
import { contactTexts, plainFields, tooManyMessages } from "#contract/contact-rules.ts";
import { limits } from "#contract/limits.ts";
import type { ContactInput } from "./contract.ts";
import { holdWriter, insertMessage, type NewMessage, releaseKey } from "./store.ts";

/** A message as it comes in; `idempotencyKey` is what the caller knows this one by, `null` when it does not say. */
export type IncomingMessage = ContactInput & { idempotencyKey: string | null };

/**
 * Stores a message and emails it where that is configured. A repeat, known by its key or, without one, by the same
 * content within ten minutes, is answered alike and stores nothing. Throws `IDEMPOTENCY_KEY_REUSED` for a key that
 * another message of the same writer has, and `RATE_LIMITED` when too many came from one network.
 */
export const sendMessage = async (ctx: Context, input: IncomingMessage) => {
  const message = compose(ctx, input);
  const isKeyGiven = input.idempotencyKey !== null;
  const isNew = await ctx.db.transaction((tx) => store(ctx, tx, { message, isKeyGiven }));
  if (isNew)
    noteActivity(ctx, {
      type: "api_call",
      action: "Sent a contact message",
      description: message.subject,
      userEmail: message.email,
    });
  ctx.mail.wake();
  return { message: contactTexts.sent };
};

// Enough for any real browser; the rest of an overlong header tells nothing about it.
const userAgentLength = 500;

const compose = (ctx: Context, input: IncomingMessage): NewMessage => {
  const userId = ctx.actor.kind === "user" ? ctx.actor.user.id : null;
  const content = { ...plainFields(input), subject: input.subject };
  const contentHash = hashOf(Object.values(content));
  const writer = userId ?? networkOf(ctx.ip);
  const { idempotencyKey: key } = input;
  return {
    id: newId(),
    ...content,
    userId,
    ip: ctx.ip,
    userAgent: ctx.userAgent?.slice(0, userAgentLength) ?? null,
    idempotencyKey: key === null ? hashOf(["content", writer, contentHash]) : hashOf(["key", writer, key]),
    contentHash,
    createdAt: ctx.clock.now(),
  };
};

// As JSON: where one part ends must not be a matter of what is in the next.
const hashOf = (parts: string[]): string => hashToken(JSON.stringify(parts));

/** Whether it was new. */
const store = async (
  ctx: Context,
  tx: Database,
  { message, isKeyGiven }: { message: NewMessage; isKeyGiven: boolean },
): Promise<boolean> => {
  const { createdAt, idempotencyKey } = message;
  if (!isKeyGiven) {
    await releaseKey(tx, idempotencyKey, new Date(createdAt.getTime() - limits.contactRepeatMs));
  }
  const stored = await insertMessage(tx, { ...message, userId: await holdWriter(tx, message.userId) });
  if (stored.contentHash !== message.contentHash) throw new AppError("IDEMPOTENCY_KEY_REUSED");
  if (stored.id !== message.id) return false;
  // Here, where it is known to be new: a repeat costs nothing, and what is one too many is rolled back.
  await ctx.attempts.spend(
    placeBudgets(ctx.ip, {
      key: "contact:",
      most: limits.contactMessagesByIp,
      windowMs: limits.contactWindowMs,
      message: tooManyMessages,
    }),
  );
  const { name, email, subject, message: text, userId } = message;
  await runBefore(ctx, tx, "contact.send", { name, email, subject, message: text, userId });
  if (ctx.contactEmail === null) return true;
  const link = `${ctx.appUrl}/admin/messages?message=${message.id}`;
  await ctx.mail.enqueue(tx, {
    to: ctx.contactEmail,
    replyTo: message.email,
    ...contactMail(message, link),
  });
  return true;
};

import { and, eq, isNull, lte } from "drizzle-orm";
import { type Context, settingsOf } from "#app";
import { type Database, rowsAtATime, users } from "#app/db";
import { renderMail } from "#app/mail";
import { notes, reminders } from "./schema.ts";
import { noteSettings } from "./settings.ts";

/** Emails members whose notes are due, once for each note and day: one server at a time runs a job. */
export const remindMembers = async (ctx: Context): Promise<void> => {
  const reminded = await ctx.db.transaction(async (tx) => {
    const { daysBefore } = settingsOf(ctx, noteSettings);
    const until = new Date(ctx.clock.now().getTime() + daysBefore * 24 * 60 * 60 * 1000);
    const found = await selectDue(tx, until.toISOString().slice(0, 10));
    for (const note of found) await ctx.mail.enqueue(tx, { to: note.email, ...reminder(ctx, note) });
    const sent = found.flatMap(({ id, due }) => (due === null ? [] : [{ noteId: id, due }]));
    if (sent.length > 0) await tx.insert(reminders).values(sent);
    return sent.length;
  });
  if (reminded > 0) ctx.mail.wake();
};

const selectDue = (tx: Database, day: string) =>
  tx
    .select({ id: notes.id, title: notes.title, due: notes.due, email: users.email, name: users.name })
    .from(notes)
    .innerJoin(users, eq(users.id, notes.userId))
    .leftJoin(reminders, and(eq(reminders.noteId, notes.id), eq(reminders.due, notes.due)))
    .where(and(lte(notes.due, day), isNull(reminders.noteId), isNull(users.disabledAt)))
    .orderBy(notes.due)
    .limit(rowsAtATime);

const reminder = ({ appUrl }: Context, { id, name, title }: { id: string; name: string; title: string }) =>
  renderMail({
    subject: `Due: ${title}`,
    preview: title,
    heading: "A note is due",
    greeting: `Hello ${name},`,
    paragraphs: ["This note is due:"],
    quote: title,
    button: { label: "Open the note", link: `${appUrl}/sample-notes/${id}` },
    notes: [],
    reason: "You receive this email because you wrote a note with a date.",
  });

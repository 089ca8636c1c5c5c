import type { Circumstances } from "#api/core/circumstances.ts";
import { circumstanceLines } from "./circumstance-lines.ts";
import { greeting } from "./greeting.ts";
import { type MailText, renderMail } from "./layout.ts";

/** An account that is gone; `contactLink` leads to the page where its owner can write to whoever runs the site. */
export type DeletedAccount = Circumstances & { name: string; contactLink: string };

/** Tells who had an account that it was deleted. */
export const accountDeletedMail = ({ name, contactLink, ...circumstances }: DeletedAccount): MailText =>
  renderMail({
    subject: "Your account was deleted",
    preview: "It cannot be brought back.",
    heading: "Your account was deleted",
    greeting: greeting(name),
    paragraphs: [
      "Your account was deleted, with everything that belonged to it. It cannot be brought back.",
      ...circumstanceLines(circumstances),
    ],
    button: { label: "Write to us", link: contactLink },
    notes: ["If it was you, there is nothing to do. If it was not, please write to us."],
    reason: "You get this mail because the account with this email address was deleted.",
  });

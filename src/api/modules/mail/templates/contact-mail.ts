import { labelled, type MessageFieldName } from "#contract/message-fields.ts";
import { type MailText, renderMail } from "./layout.ts";

/**
 * Brings a message of the contact form to the people of the site, who find it again at `link`; an answer goes to the
 * writer.
 */
export const contactMail = (written: Record<MessageFieldName, string>, link: string): MailText =>
  renderMail({
    subject: `Contact form: ${written.subject}`,
    preview: "Somebody wrote through the contact form.",
    heading: "New message",
    greeting: "Hello,",
    paragraphs: [
      [
        `${written.name} (${written.email}) wrote through the contact form.`,
        ...labelled(written, { without: ["name", "email", "message"] }).map(
          ([label, content]) => `${label}: ${content}.`,
        ),
      ].join(" "),
    ],
    quote: written.message,
    button: { label: "Open the message", link },
    notes: ["Answer this mail to write back. Nobody has checked that the address is the writer's."],
    reason: "You get this mail because this address receives the messages of the contact form.",
  });

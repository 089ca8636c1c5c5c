import { labelled, type MessageFieldName } from "#contract/contact-rules.ts";
import { type MailText, renderMail } from "./layout.ts";

/**
 * Brings a message of the contact form to the people of the site, who find it again at `link`; an answer goes to the
 * writer.
 */
export const contactMail = (written: Record<MessageFieldName, string>, link: string): MailText =>
  renderMail({
    subject: `Contact form: ${written.subject}`,
    preview: "You have a new message from the contact form.",
    heading: "New message",
    greeting: "Hello,",
    paragraphs: [
      [
        `${written.name} (${written.email}) sent a message with the contact form.`,
        ...labelled(written, { without: ["name", "email", "message"] }).map(
          ([label, content]) => `${label}: ${content}.`,
        ),
      ].join(" "),
    ],
    quote: written.message,
    button: { label: "Open the message", link },
    notes: ["Reply to this email to answer. The sender's email address is not verified."],
    reason: "You get this email because this address receives the messages of the contact form.",
  });

/** Who asked for a test, `null` for the operator at the terminal, and the origin of the installation. */
type MailTestFacts = { by: string | null; appUrl: string };

/** Shows that emails of this installation arrive. */
export const testMail = ({ by, appUrl }: MailTestFacts): MailText =>
  renderMail({
    subject: "Test email",
    preview: "Emails from this installation arrive.",
    heading: "Emails arrive",
    greeting: "Hello,",
    paragraphs: [`An administrator of ${appUrl} tested whether its emails arrive. This one did.`],
    button: { label: "Open the site", link: appUrl },
    notes: [
      "You don't have to do anything. If you found this email in the spam folder, others may be there, too.",
    ],
    reason: `You get this email because ${by ?? "the operator"} asked for a test.`,
  });

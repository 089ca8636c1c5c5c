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

/** Who asked for a test, `null` for the operator at the terminal, and the origin of the installation. */
type MailTestFacts = { by: string | null; appUrl: string };

/** Shows that mails of this installation arrive. */
export const testMail = ({ by, appUrl }: MailTestFacts): MailText =>
  renderMail({
    subject: "Test mail",
    preview: "Mails of this installation arrive.",
    heading: "Mails arrive",
    greeting: "Hello,",
    paragraphs: [`Somebody who looks after ${appUrl} has tested whether its mails arrive. This one did.`],
    button: { label: "Open the site", link: appUrl },
    notes: ["There is nothing to do. If it was found in the spam folder, others may be there, too."],
    reason: `You get this mail because ${by ?? "the operator"} asked for a test.`,
  });

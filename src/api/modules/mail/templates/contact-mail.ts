import { type MailText, renderMail } from "./layout.ts";

/** What a visitor wrote, and where an admin finds it again. */
export type ContactMail = { name: string; email: string; topic: string; message: string; link: string };

/** Brings a message of the contact form to the people of the site; an answer goes to the writer. */
export const contactMail = ({ name, email, topic, message, link }: ContactMail): MailText =>
  renderMail({
    subject: `Contact form: ${topic}`,
    preview: "Somebody wrote through the contact form.",
    heading: "New message",
    greeting: "Hello,",
    paragraphs: [`${name} (${email}) wrote through the contact form. Subject: ${topic}.`],
    quote: message,
    button: { label: "Open the message", link },
    notes: ["Answer this mail to write back. Nobody has checked that the address is the writer's."],
    reason: "You get this mail because this address receives the messages of the contact form.",
  });

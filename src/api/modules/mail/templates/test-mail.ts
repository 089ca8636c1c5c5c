import { type MailText, renderMail } from "./layout.ts";

/** Who asked for a test, `null` for the operator at the terminal, and the origin of the installation. */
export type MailTestFacts = { by: string | null; appUrl: string };

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

import type { ConnectionReport } from "#api/core/settings.ts";
import { writeEml } from "./eml-transport.ts";
import type { MailTransportConfig } from "./mail-transport.ts";
import type { OutgoingMail } from "./outgoing-mail.ts";
import { testSmtp } from "./test-smtp.ts";

/** Sends an email at once by the way that all emails take, and reports what each step came to; never throws. */
export type MailTest = (mail: OutgoingMail) => Promise<ConnectionReport>;

/** The test of the configured way: see {@link testSmtp}; without a mail server the file that is written in its place. */
export const createMailTest =
  ({ smtpUrl, mailFrom, dataDir, log }: MailTransportConfig): MailTest =>
  (mail) =>
    smtpUrl === null ? testOutbox({ mailFrom, dataDir, log }, mail) : testSmtp({ smtpUrl, mailFrom }, mail);

const testOutbox = async (
  options: Parameters<typeof writeEml>[0],
  mail: OutgoingMail,
): Promise<ConnectionReport> => {
  const outcome = await writeEml(options, mail);
  const remedy = "Set SMTP_URL to a mail server, and start the server again.";
  if (outcome.kind !== "sent")
    return {
      isWorking: false,
      summary: outcome.reason,
      details: "No mail server is configured, and the email could not be written to a file.",
      steps: [{ name: "File", status: "failed", message: outcome.reason, remedy: "Make DATA_DIR writable." }],
    };
  return {
    isWorking: true,
    summary: "The email was saved as a file and not delivered, because no mail server is configured.",
    details: remedy,
    steps: [
      { name: "File", status: "passed", message: outcome.file },
      { name: "Mail server", status: "warning", message: "None: SMTP_URL is not set.", remedy },
    ],
  };
};

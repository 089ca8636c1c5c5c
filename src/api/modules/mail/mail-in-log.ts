import type { ActivityEntry } from "#api/core/activity.ts";
import type { Mail } from "./contract.ts";

/** Which mail the activity log speaks of; its text is nobody's business. */
export const mailInLog = ({
  recipient,
  subject,
}: Pick<Mail, "recipient" | "subject">): Pick<ActivityEntry, "description"> => ({
  description: `“${subject}” to ${recipient}`,
});

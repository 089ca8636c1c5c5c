import type { ActivityEntry } from "#api/core/activity.ts";
import type { ContactMessage } from "./contract.ts";

/** Which message the activity log speaks of. What it says is not told: it outlives the message. */
export const messageInLog = ({
  email,
  subject,
}: Pick<ContactMessage, "email" | "subject">): Pick<ActivityEntry, "description"> => ({
  description: `${subject} message of ${email}`,
});

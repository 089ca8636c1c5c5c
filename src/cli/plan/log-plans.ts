import type { Client as Operations } from "#api/operations.ts";
import type { Client } from "#cli/client.ts";
import { countOlder } from "#cli/count-older.ts";
import { counted } from "#cli/counted.ts";
import { CliFailure } from "#cli/failure.ts";
import { formatCount } from "#cli/format.ts";
import { operationsOf } from "#cli/operations/operations-of.ts";
import { mailTexts } from "#contract/mail.ts";
import type { OperationPlan, Plans } from "./plan.ts";
import { tokenPlans } from "./token-plans.ts";
import { userPlans } from "./user-plans.ts";

/** The plans for activities. */
export const logPlans: Plans<"PUT /api/admin/activity/retention" | "DELETE /api/admin/activity/cleanup"> = {
  "PUT /api/admin/activity/retention": async (client, { body }) => {
    const days = body?.days ?? null;
    if (days === null) return "Would keep all activities until somebody cleans up";
    const count = await countOlder(client, days);
    const already = `${formatCount(count)} already ${count === 1 ? "is" : "are"}`;
    return `Would remove activities once they are older than ${counted(days, "day")}, as ${already}`;
  },
  "DELETE /api/admin/activity/cleanup": async (client, { query }) => {
    const days = Number(query?.days);
    const count = await countOlder(client, days);
    const old = `that ${count === 1 ? "is" : "are"} older than ${counted(days, "day")}`;
    return `Would remove ${counted(count, "activity")} ${old} for good`;
  },
};

/** The plans for operations, by their names. */
export const operationPlans: {
  readonly "contact.update": OperationPlan<Operations["contact"]["update"]>;
  readonly "contact.remove": OperationPlan<Operations["contact"]["remove"]>;
  readonly "mail.retry": OperationPlan<Operations["mail"]["retry"]>;
  readonly "mail.retryAll": OperationPlan<Operations["mail"]["retryAll"]>;
  readonly "mail.discard": OperationPlan<Operations["mail"]["discard"]>;
} & typeof tokenPlans &
  typeof userPlans = {
  ...tokenPlans,
  ...userPlans,
  "contact.update": async (client, { id, handled }) => {
    const message = await calledMessage(client, id);
    return handled ? `Would mark ${message} as handled` : `Would open ${message} again`;
  },
  "contact.remove": async (client, { id }) => `Would delete ${await calledMessage(client, id)} for good`,
  "mail.retry": async (client, { id }) => `Would try ${await calledMail(client, id)} again`,
  "mail.retryAll": async (client) => {
    const { counts } = (await operationsOf(client).mail.status()).data;
    return `Would try the mails again that were given up: ${counts.dead}`;
  },
  "mail.discard": async (client, { id }) => `Would discard ${await calledMail(client, id)} for good`,
};

// Reading one marks it as read; the list does not.
const calledMessage = async (client: Client, id: string): Promise<string> => {
  for (let offset = 0; ; offset += 100) {
    const { messages } = (await operationsOf(client).contact.list({ limit: 100, offset })).data;
    const found = messages.find((message) => message.id === id.toLowerCase());
    if (found !== undefined) return `the message from ${found.name} <${found.email}>`;
    if (messages.length < 100) throw new CliFailure("NOT_FOUND", "there is no such message");
  }
};

const calledMail = async (client: Client, id: string): Promise<string> => {
  const { data: mail } = await operationsOf(client).mail.get({ id });
  if (mail.status === "sent") throw new CliFailure("CONFLICT", mailTexts.alreadySent);
  if (!mail.canRetry) throw new CliFailure("CONFLICT", mailTexts.discardedBefore);
  return `“${mail.subject}” to ${mail.recipient}`;
};

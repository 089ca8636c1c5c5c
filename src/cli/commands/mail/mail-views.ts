import type { Mail, MailList, MailState } from "#api/modules/mail/contract.ts";
import { operationsOf } from "#cli/client/client.ts";
import { usage } from "#cli/failure.ts";
import { type Invocation, withClient } from "#cli/invocation.ts";
import { formatCount, formatMinute, formatSecond, totalText } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { type Column, columnsOf, formatFacts, whole } from "#cli/terminal/table.ts";
import { labelled, mailFields } from "#contract/field-marks.ts";
import { mailTexts } from "#contract/mail.ts";
import { listText, type View } from "../../operations/declared-command.ts";

/** How the commands about emails show responses; `mail retry` chooses between two operations. */
export const mailViews = {
  "mail status": {
    text: ({ transport, server, from, isHealthy, lastError, counts }, style) => {
      const way = transport === "smtp" ? `SMTP, ${server ?? ""}` : "files in the outbox folder";
      const working = transport === "smtp" ? "working" : "emails are saved as files and not delivered";
      return formatFacts(
        [
          ["Sent by", way],
          ["Sender", from],
          ["State", isHealthy ? working : `emails can't be delivered: ${lastError ?? "unknown reason"}`],
          ["Waiting", formatCount(counts.waiting)],
          ["Sent", formatCount(counts.sent)],
          ["Given up", formatCount(counts.dead)],
        ],
        style,
      );
    },
  } satisfies View<MailState>,
  "mail show": {
    text: (mail, style) => {
      const at = (moment: string | null) => (moment === null ? "never" : formatSecond(moment));
      return formatFacts(
        labelled(mailFields, {
          id: mail.id,
          recipient: mail.recipient,
          subject: mail.subject,
          status: stateOf(mail),
          attempts: formatCount(mail.attempts),
          lastError: mail.lastError ?? "none",
          nextAttemptAt: at(mail.nextAttemptAt),
          createdAt: at(mail.createdAt),
          sentAt: at(mail.sentAt),
        }),
        style,
      );
    },
  } satisfies View<Mail>,
  "mail list": {
    text: ({ mails }, style) => listText(mails, { columns: columnsFor(style), none: mailTexts.none, style }),
    counted: ({ mails, counts, pagination }) => {
      const { total, limit } = pagination;
      const last = mails.at(-1);
      const more =
        last && mails.length === limit && total > limit ? `; see older ones with --before ${last.id}` : "";
      const of = `${formatCount(counts.waiting)} waiting and ${formatCount(counts.dead)} given up`;
      return `${mails.length} of ${totalText(pagination)} emails${more}; in total ${of}`;
    },
    isNone: ({ mails }) => mails.length === 0,
  } satisfies View<MailList>,
  "mail retry": {
    run: async (invocation, { dead }) => {
      const id = invocation.args[0]?.trim() ?? "";
      if ((id === "") === (dead === undefined))
        throw usage("give the id of an email, or --dead for all that were given up");
      await (dead ? retryDead(invocation) : retryOne(invocation, id));
    },
  } satisfies View<Mail>,
};

const stateOf = ({ status, canRetry }: Mail): string => {
  if (status !== "dead") return status;
  return canRetry ? "given up" : "discarded";
};

const column = columnsOf<Mail>(mailFields);

const columnsFor = (style: Style): Column<Mail>[] => [
  { heading: "ID", cell: ({ id }) => id, least: whole },
  column("createdAt", { as: formatMinute, least: 17 }),
  column("status", {
    cell: stateOf,
    paint: (text, { status }) => {
      if (status === "sent") return style.green(text);
      return status === "dead" ? style.red(text) : style.yellow(text);
    },
  }),
  column("attempts", { isSpare: true }),
  column("recipient"),
  column("subject"),
  column("lastError", { as: (error) => error ?? "", isSpare: true }),
];

const retryOne = (invocation: Invocation, id: string): Promise<void> =>
  withClient(invocation, async (client) => {
    const { data } = await operationsOf(client).mail.retry({ id });
    const called = printable(`“${data.subject}” to ${data.recipient}`);
    invocation.output.result(data, () => `${tried(client.isServer)}: ${called}`);
  });

const retryDead = (invocation: Invocation): Promise<void> =>
  withClient(invocation, async (client) => {
    const { data } = await operationsOf(client).mail.retryAll();
    const { retried } = data;
    const what = `${retried} ${retried === 1 ? "email" : "emails"}`;
    invocation.output.result(data, () =>
      retried === 0 ? "No emails were given up" : `${tried(client.isServer)}: ${what}`,
    );
  });

const tried = (isServer: boolean): string =>
  isServer ? "Retrying now" : "Will be retried when the server starts";

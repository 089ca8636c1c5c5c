import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { formatCount, formatSecond } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import type { Style } from "#cli/output.ts";
import { formatFacts } from "#cli/table.ts";
import type { MailRow } from "#contract/mail.ts";

type State = ApiAnswer<"GET /api/admin/mail">;

const sampleId = "019a9f00-0000-7000-8000-000000000000";

/** `mail status|show`: how mails leave, and one of them. */
export const addMailStatusCommands = (group: Command, cli: Cli): void => {
  addStatus(group, cli);
  addShow(group, cli);
};

const addStatus = (group: Command, cli: Cli): void => {
  group
    .command("status")
    .summary("how mails leave, and how that goes")
    .description(
      "Shows the mail server, the sender, whether the running server got its last mail through and why not, and how many " +
        "mails wait, left and were given up. Without a mail server mails become files, count as sent and reach nobody.",
    )
    .addHelpText(
      "after",
      examples(
        ["Show it", "atrium mail status"],
        ["Whether any was given up, for a script", "test $(atrium mail status --json | jq .counts.dead) = 0"],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const state = await withClient(invocation, (client) => client.call("GET /api/admin/mail"));
        invocation.output.result(state, stateText);
      }),
    );
};

const addShow = (group: Command, cli: Cli): void => {
  group
    .command("show")
    .argument("<id>", "id of the mail")
    .summary("show one mail")
    .description(
      "Shows who gets a mail, its subject, its state, how many times it was tried, why it failed and when it is tried " +
        "again. Its text stays sealed.",
    )
    .addHelpText(
      "after",
      examples(
        ["As text", `atrium mail show ${sampleId}`],
        ["Why it failed, for a script", `atrium mail show ${sampleId} --json | jq -r .lastError`],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const params = { id: (invocation.args[0] ?? "").trim() };
        const mail = await withClient(invocation, (client) =>
          client.call("GET /api/admin/mails/:id", { params }),
        );
        invocation.output.result(mail, mailText);
      }),
    );
};

const stateText = (state: State, style: Style): string => {
  const { transport, server, from, isHealthy, lastError, counts } = state;
  const way = transport === "smtp" ? `SMTP, ${server ?? ""}` : "files in the outbox folder";
  const working = transport === "smtp" ? "working" : "writes files only; mails reach nobody";
  return formatFacts(
    [
      ["Sent by", way],
      ["Sender", from],
      ["State", isHealthy ? working : `nothing gets through: ${lastError ?? "no reason known"}`],
      ["Waiting", formatCount(counts.waiting)],
      ["Sent", formatCount(counts.sent)],
      ["Given up", formatCount(counts.dead)],
    ],
    style,
  );
};

const mailText = (mail: MailRow, style: Style): string => {
  const at = (moment: string | null) => (moment === null ? "never" : formatSecond(moment));
  return formatFacts(
    [
      ["Id", mail.id],
      ["To", mail.recipient],
      ["Subject", mail.subject],
      ["State", mailState(mail)],
      ["Tries", formatCount(mail.attempts)],
      ["Last error", mail.lastError ?? "none"],
      ["Next try", at(mail.nextAttemptAt)],
      ["Written", at(mail.createdAt)],
      ["Sent", at(mail.sentAt)],
    ],
    style,
  );
};

/** The state of a mail in a word or two. */
export const mailState = ({ status, canRetry }: Pick<MailRow, "status" | "canRetry">): string => {
  if (status !== "dead") return status;
  return canRetry ? "given up" : "discarded";
};

import type { Command } from "commander";
import { examples } from "#cli/examples.ts";
import { CliFailure } from "#cli/failure.ts";
import { type Cli, type GlobalOptions, handler, type Invocation, withClient } from "#cli/invocation.ts";
import { printable } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import type { MailRow } from "#contract/mail.ts";

const sampleId = "019a9f00-0000-7000-8000-000000000000";

/** `mail retry|discard`: what can be done about a mail that has not left. */
export const addMailChangeCommands = (group: Command, cli: Cli): void => {
  addRetry(group, cli);
  addDiscard(group, cli);
};

const addRetry = (group: Command, cli: Cli): void => {
  group
    .command("retry")
    .argument("[id]", "id of the mail")
    .summary("try mails again now")
    .description(
      "Has a mail tried again at once that waits or was given up, or with --dead all that were given up. Links in mails " +
        "work for an hour or a day: what is older may arrive and lead nowhere.",
    )
    .option("--dead", "all mails that were given up")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["One", `atrium mail retry ${sampleId}`],
        ["All that were given up, once the mail server is mended", "atrium mail retry --dead"],
      ),
    )
    .action(
      handler<GlobalOptions & { dead?: true }>(cli, async (invocation, { dead }) => {
        const id = invocation.args[0]?.trim() ?? "";
        if ((id === "") === (dead === undefined))
          throw new CliFailure("USAGE", "name one mail by its id, or all that were given up with --dead");
        await (dead ? retryDead(invocation) : retryOne(invocation, id));
      }),
    );
};

const retryOne = (invocation: Invocation, id: string): Promise<void> =>
  withClient(invocation, async (client) => {
    const mail = await client.call("POST /api/admin/mails/:id/retry", { params: { id } });
    invocation.output.result(mail, () => `${tried(client.isServer)}: ${called(mail)}`);
  });

const retryDead = (invocation: Invocation): Promise<void> =>
  withClient(invocation, async (client) => {
    const answer = await client.call("POST /api/admin/mails/retry");
    const { retried } = answer;
    const what = `${retried} ${retried === 1 ? "mail" : "mails"}`;
    invocation.output.result(answer, () =>
      retried === 0 ? "No mail was given up" : `${tried(client.isServer)}: ${what}`,
    );
  });

const tried = (isServer: boolean): string =>
  isServer ? "Tried again now" : "Tried again when the server starts";

const addDiscard = (group: Command, cli: Cli): void => {
  group
    .command("discard")
    .argument("<id>", "id of the mail")
    .summary("give a mail up for good")
    .description(
      "Gives a mail up that has not left, and wipes its text: nothing can send it any more. Asks first, naming the mail.",
    )
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask first", `atrium mail discard ${sampleId}`],
        ["In a script", `atrium mail discard ${sampleId} --yes`],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const params = { id: (invocation.args[0] ?? "").trim() };
        const mail = await withClient(invocation, async (client) => {
          await invocation.confirm(async () => {
            const found = await client.call("GET /api/admin/mails/:id", { params });
            return `Discard ${called(found)} for good?`;
          });
          return client.call("DELETE /api/admin/mails/:id", { params });
        });
        invocation.output.result(mail, () => `Discarded ${called(mail)}`);
      }),
    );
};

const called = ({ subject, recipient }: MailRow): string => printable(`“${subject}” to ${recipient}`);

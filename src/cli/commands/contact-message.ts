import type { Command } from "commander";
import type { ApiAnswer } from "#cli/api-calls.ts";
import { examples } from "#cli/examples.ts";
import { formatMinute } from "#cli/format.ts";
import { type Cli, handler, withClient } from "#cli/invocation.ts";
import { printable, type Style } from "#cli/output.ts";
import { planOption } from "#cli/plan/planned.ts";
import { formatFacts } from "#cli/table.ts";

type Message = ApiAnswer<"GET /api/admin/contact/:id">;

const idWords = "id of the message";
const sampleId = "019a9f00-0000-7000-8000-000000000000";

/** `contact show|handle|reopen|delete`: one message. */
export const addContactMessageCommands = (group: Command, cli: Cli): void => {
  addShow(group, cli);
  addHandled(group, cli, {
    name: "handle",
    isHandled: true,
    summary: "mark a message as handled",
    description: "Marks a message as handled: it needs nobody any more, and counts as read.",
    outcome: "Handled",
  });
  addHandled(group, cli, {
    name: "reopen",
    isHandled: false,
    summary: "open a handled message again",
    description: "Opens a message again that was marked as handled: it needs somebody after all.",
    outcome: "Opened again:",
  });
  addDelete(group, cli);
};

const addShow = (group: Command, cli: Cli): void => {
  group
    .command("show")
    .argument("<id>", idWords)
    .summary("show one message")
    .description("Shows a message with its whole text. It counts as read from then on.")
    .addHelpText(
      "after",
      examples(
        ["As text", `atrium contact show ${sampleId}`],
        ["The text alone, for a script", `atrium contact show ${sampleId} --json | jq -r .message`],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const params = paramsOf(invocation.args);
        const message = await withClient(invocation, (client) =>
          client.call("GET /api/admin/contact/:id", { params }),
        );
        invocation.output.result(message, messageText);
      }),
    );
};

type HandledCommand = {
  name: string;
  isHandled: boolean;
  summary: string;
  description: string;
  outcome: string;
};

const addHandled = (
  group: Command,
  cli: Cli,
  { name, isHandled, summary, description, outcome }: HandledCommand,
): void => {
  group
    .command(name)
    .argument("<id>", idWords)
    .summary(summary)
    .description(description)
    .option(...planOption)
    .addHelpText("after", examples(["By id", `atrium contact ${name} ${sampleId}`]))
    .action(
      handler(cli, async (invocation) => {
        const params = paramsOf(invocation.args);
        const message = await withClient(invocation, (client) =>
          client.call("PUT /api/admin/contact/:id", { params, body: { handled: isHandled } }),
        );
        invocation.output.result(message, () => `${outcome} ${called(message)}`);
      }),
    );
};

const addDelete = (group: Command, cli: Cli): void => {
  group
    .command("delete")
    .argument("<id>", idWords)
    .summary("delete a message for good")
    .description("Deletes a message. Nothing brings it back. Asks first.")
    .option(...planOption)
    .addHelpText(
      "after",
      examples(
        ["Ask first", `atrium contact delete ${sampleId}`],
        ["In a script", `atrium contact delete ${sampleId} --yes`],
      ),
    )
    .action(
      handler(cli, async (invocation) => {
        const params = paramsOf(invocation.args);
        const answer = await withClient(invocation, async (client) => {
          await invocation.confirm(async () => {
            const message = await client.call("GET /api/admin/contact/:id", { params });
            return `Delete ${called(message)} for good?`;
          });
          return client.call("DELETE /api/admin/contact/:id", { params });
        });
        invocation.output.result(answer, () => "Deleted the message");
      }),
    );
};

const paramsOf = ([id = ""]: readonly string[]) => ({ id: id.trim() });

const called = ({ name, email }: Message): string => printable(`the message from ${name} <${email}>`);

const messageText = (message: Message, style: Style): string => {
  const facts = formatFacts(
    [
      ["Id", message.id],
      ["From", `${message.name} <${message.email}>`],
      ["Subject", message.subject],
      ["Received", formatMinute(message.createdAt)],
      ["Handled", formatMinute(message.handledAt)],
      ["Account", message.userId ?? "none"],
      ["IP address", message.ip],
      ["Browser", message.userAgent ?? "unknown"],
    ],
    style,
  );
  return `${facts}\n\n${printable(message.message, "\n\t")}`;
};

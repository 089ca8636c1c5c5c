import type { ContactMessage, MessageList } from "#api/modules/contact/contract.ts";
import { listText, type View } from "#cli/operations/view.ts";
import { formatMinute, nextText, totalText } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { type Column, formatFacts, whole } from "#cli/terminal/table.ts";
import { labelled } from "#contract/message-fields.ts";

/** How the commands about contact messages show what is answered. */
export const contactViews = {
  "contact list": {
    text: ({ messages }, style) =>
      listText(messages, { columns: columnsFor(style), none: "No messages.", style }),
    counted: ({ messages, pagination, counts }) => {
      const more = nextText(pagination, messages.length);
      return `${messages.length} of ${totalText(pagination)} messages${more}; of all, ${counts.open} open and ${counts.unread} unread`;
    },
    isNone: ({ pagination }) => pagination.total === 0,
  } satisfies View<MessageList>,
  "contact show": {
    text: (message, style) => `${factsOf(message, style)}\n\n${printable(message.message, "\n\t")}`,
  } satisfies View<ContactMessage>,
};

// What fits beside the other columns on a wide terminal.
const shownLength = 60;

const columnsFor = (style: Style): Column<ContactMessage>[] => [
  { heading: "ID", cell: ({ id }) => id, least: whole },
  { heading: "RECEIVED", cell: ({ createdAt }) => formatMinute(createdAt), least: whole, isSpare: true },
  { heading: "NAME", cell: ({ name }) => name },
  { heading: "EMAIL", cell: ({ email }) => email, isSpare: true },
  { heading: "SUBJECT", cell: ({ subject }) => subject, isSpare: true },
  {
    heading: "STATE",
    cell: stateOf,
    paint: (text, { readAt }) => (readAt === null ? style.yellow(text) : text),
  },
  { heading: "MESSAGE", cell: ({ message }) => beginningOf(message) },
];

const stateOf = ({ handledAt, readAt }: ContactMessage): string => {
  if (handledAt !== null) return "handled";
  return readAt === null ? "unread" : "open";
};

const beginningOf = (message: string): string => {
  const characters = [...message.replace(/\s+/g, " ")];
  return characters.length > shownLength
    ? `${characters.slice(0, shownLength - 1).join("")}…`
    : characters.join("");
};

const factsOf = (message: ContactMessage, style: Style): string =>
  formatFacts(
    [
      ["Id", message.id],
      ["From", `${message.name} <${message.email}>`],
      ...labelled(message, { without: ["name", "email", "message"] }),
      ["Received", formatMinute(message.createdAt)],
      ["Handled", formatMinute(message.handledAt)],
      ["Account", message.userId ?? "none"],
      ["IP address", message.ip],
      ["Browser", message.userAgent ?? "unknown"],
    ],
    style,
  );

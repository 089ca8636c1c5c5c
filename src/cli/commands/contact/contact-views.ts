import type { ContactMessage, MessageList } from "#api/modules/contact/contract.ts";
import { formatMinute, nextText, totalText } from "#cli/terminal/format.ts";
import { printable, type Style } from "#cli/terminal/output.ts";
import { type Column, columnsOf, formatFacts, whole } from "#cli/terminal/table.ts";
import { labelled } from "#contract/contact-rules.ts";
import { contactFields } from "#contract/field-marks.ts";
import { listText, type View } from "../../operations/declared-command.ts";

/** How the commands about contact messages show what is answered. */
export const contactViews = {
  "contact list": {
    text: ({ messages }, style) =>
      listText(messages, { columns: columnsFor(style), none: "No messages.", style }),
    counted: ({ messages, pagination, counts }) => {
      const more = nextText(pagination, messages.length);
      return `${messages.length} of ${totalText(pagination)} messages${more}; in total ${counts.open} open and ${counts.unread} unread`;
    },
    isNone: ({ pagination }) => pagination.total === 0,
  } satisfies View<MessageList>,
  "contact show": {
    text: (message, style) => `${factsOf(message, style)}\n\n${printable(message.message, "\n\t")}`,
  } satisfies View<ContactMessage>,
};

// What fits beside the other columns on a wide terminal.
const shownLength = 60;

const column = columnsOf<ContactMessage>(contactFields);

const columnsFor = (style: Style): Column<ContactMessage>[] => [
  { heading: "ID", cell: ({ id }) => id, least: whole },
  column("createdAt", { as: formatMinute, least: whole, isSpare: true }),
  column("name"),
  column("email", { isSpare: true }),
  column("subject", { isSpare: true }),
  {
    heading: "STATE",
    cell: stateOf,
    paint: (text, { readAt }) => (readAt === null ? style.yellow(text) : text),
  },
  column("message", { as: beginningOf }),
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
      [contactFields.id.label, message.id],
      ["From", `${message.name} <${message.email}>`],
      ...labelled(message, { without: ["name", "email", "message"] }),
      [contactFields.createdAt.label, formatMinute(message.createdAt)],
      [contactFields.handledAt.label, formatMinute(message.handledAt)],
      [contactFields.userId.label, message.userId ?? "none"],
      [contactFields.ip.label, message.ip],
      [contactFields.userAgent.label, message.userAgent ?? "unknown"],
    ],
    style,
  );

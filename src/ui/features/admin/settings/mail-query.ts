import { type MailStatus, mailStatuses } from "#contract/mail.ts";
import { oneOf } from "../list-filters.ts";

/** What the outbox shows: mails of a status that match, and the one that is open. Lives in the address bar. */
export type MailQuery = { status: MailStatus; search: string; mail: string | null };

/** Reads the query; what makes no sense counts as not given. */
export const readMailQuery = (params: URLSearchParams): MailQuery => ({
  status: oneOf(mailStatuses, params.get("mails")) ?? "waiting",
  search: (params.get("search") ?? "").trim(),
  mail: params.get("mail"),
});

/** The query; what is at its default is left out. */
export const writeMailQuery = ({ status, search, mail }: MailQuery): URLSearchParams => {
  const params = new URLSearchParams();
  if (status !== "waiting") params.set("mails", status);
  if (search !== "") params.set("search", search);
  if (mail !== null) params.set("mail", mail);
  return params;
};

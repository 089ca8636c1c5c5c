import { type ContactSubject, contactSubjects } from "#contract/contact-rules.ts";
import { oneOf, readFilters, writeFilters } from "../list-filters.ts";

/** Whether messages still need somebody. */
export const messageStatuses = ["open", "handled"] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** What the page of messages shows; `null` stands for any, and `message` is the one that is open. */
export type MessageFilters = {
  search: string;
  page: number;
  subject: ContactSubject | null;
  status: MessageStatus | null;
  message: string | null;
};

/** Reads the filters from a query; what makes no sense counts as not given. */
export const readMessageFilters = (params: URLSearchParams): MessageFilters => ({
  ...readFilters(params),
  subject: oneOf(contactSubjects, params.get("subject")),
  status: oneOf(messageStatuses, params.get("status")),
  message: params.get("message"),
});

/** The filters as a query; what is at its default is left out. */
export const writeMessageFilters = ({
  subject,
  status,
  message,
  ...list
}: MessageFilters): URLSearchParams => {
  const params = writeFilters(list);
  for (const [name, value] of Object.entries({ subject, status, message }))
    if (value !== null) params.set(name, value);
  return params;
};

/** Whether anything but the page narrows the list. */
export const isNarrowed = ({ search, subject, status }: MessageFilters): boolean =>
  search !== "" || subject !== null || status !== null;

/** What the API is asked for; what stands for any is left out. */
export const wantedOf = ({
  search,
  subject,
  status,
}: Pick<MessageFilters, "search" | "subject" | "status">) => ({
  search: search === "" ? undefined : search,
  subject: subject ?? undefined,
  status: status ?? undefined,
});

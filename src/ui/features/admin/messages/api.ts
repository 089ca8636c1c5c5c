import type { ContactSubject } from "#contract/contact-rules.ts";
import { api } from "#ui/lib/api.ts";
import type { MessageFilters } from "./message-filters.ts";

/** A message of the contact form as administrators see it. Timestamps are ISO 8601 in UTC. */
export type ContactMessage = {
  id: string;
  name: string;
  email: string;
  subject: ContactSubject;
  message: string;
  userId: string | null;
  ip: string;
  userAgent: string | null;
  createdAt: string;
  readAt: string | null;
  handledAt: string | null;
};

/** One page of messages; `counts` are of all messages, whatever the filters. */
export type MessagePage = {
  messages: ContactMessage[];
  pagination: { total: number; totalIsEstimate: boolean; limit: number; offset: number };
  counts: { open: number; unread: number };
};

type Wanted = Pick<MessageFilters, "search" | "subject" | "status">;

const path = "/api/admin/contact";
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`;

const queryOf = ({ search, subject, status }: Wanted, more: Record<string, string>): string => {
  const params = new URLSearchParams(more);
  if (search !== "") params.set("search", search);
  if (subject !== null) params.set("subject", subject);
  if (status !== null) params.set("status", status);
  return params.toString();
};

/** One page of the messages that match. */
export const listMessages = async (
  wanted: Wanted,
  { limit, offset }: { limit: number; offset: number },
): Promise<MessagePage> => {
  const query = queryOf(wanted, { limit: String(limit), offset: String(offset) });
  const { data } = await api.get<{ data: MessagePage }>(`${path}?${query}`);
  return data;
};

/** One message, which counts as read from then on. */
export const getMessage = async (id: string): Promise<ContactMessage> => {
  const { data } = await api.get<{ data: ContactMessage }>(pathOf(id));
  return data;
};

/** Marks a message as handled or opens it again; resolves to what to tell. */
export const setHandled = async (id: string, handled: boolean): Promise<string> => {
  const { message } = await api.put<{ message: string }>(pathOf(id), { handled });
  return message;
};

/** Deletes a message; resolves to what to tell. */
export const deleteMessage = async (id: string): Promise<string> => {
  const { message } = await api.delete<{ message: string }>(pathOf(id));
  return message;
};

/** Where the matching messages are to be had as a file. */
export const exportAddress = (wanted: Wanted, format: "csv" | "ndjson"): string =>
  `${path}/export?${queryOf(wanted, { format })}`;

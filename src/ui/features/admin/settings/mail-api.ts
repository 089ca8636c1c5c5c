import type { MailCounts, MailRow, MailState, MailStatus } from "#contract/mail.ts";
import { api } from "#ui/lib/api.ts";

/** How mails leave, and how that goes. */
export const getMailState = async (): Promise<MailState> =>
  (await api.get<{ data: MailState }>("/api/admin/mail")).data;

type MailList = {
  mails: MailRow[];
  counts: MailCounts;
  pagination: { total: number; totalIsEstimate: boolean; limit: number };
};

/** Mails of one status that match, the newest or those before one. */
export const listMails = async (status: MailStatus, search: string, before?: string): Promise<MailList> => {
  const params = new URLSearchParams({ status, limit: "10" });
  if (search !== "") params.set("search", search);
  if (before !== undefined) params.set("before", before);
  return (await api.get<{ data: MailList }>(`/api/admin/mails?${params}`)).data;
};

const pathOf = (id: string) => `/api/admin/mails/${encodeURIComponent(id)}`;

/** One mail, without its text. */
export const getMail = async (id: string): Promise<MailRow> =>
  (await api.get<{ data: MailRow }>(pathOf(id))).data;

/** Tries a mail again at once; resolves to what to tell. */
export const retryMail = async (id: string): Promise<string> =>
  (await api.post<{ message: string }>(`${pathOf(id)}/retry`)).message;

/** Tries all mails again that were given up; resolves to what to tell. */
export const retryDeadMails = async (): Promise<string> =>
  (await api.post<{ message: string }>("/api/admin/mails/retry")).message;

/** Gives a mail up for good; resolves to what to tell. */
export const discardMail = async (id: string): Promise<string> =>
  (await api.delete<{ message: string }>(pathOf(id))).message;

import { api } from "#ui/lib/api.ts";

/** What a visitor writes. */
export type ContactInput = { name: string; email: string; subject: string; message: string };

/** Sends a message; resolves to what to tell the person. `key` is the same for every try to send this one. */
export const sendContactMessage = async (input: ContactInput, key: string): Promise<string> => {
  const { message } = await api.post<{ message: string }>("/api/contact", input, {
    headers: { "idempotency-key": key },
  });
  return message;
};

import { AppError } from "#api/core/app-error.ts";
import { mailTexts } from "#contract/mail.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be the id of a mail. */
export const isMailId = (text: string): boolean => uuid.test(text);

/** The id of a mail that may exist. Throws `NOT_FOUND` for a text that is no id at all. */
export const mailId = (text: string): string => {
  if (!isMailId(text)) throw unknownMail();
  return text;
};

/** The failure of a call for a mail that is not there. */
export const unknownMail = (): AppError => new AppError("NOT_FOUND", mailTexts.unknown);

import { AppError } from "#api/core/app-error.ts";
import { contactTexts } from "#contract/contact-texts.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The id of a message that may exist. Throws `NOT_FOUND` for a text that is no id at all. */
export const messageId = (text: string): string => {
  if (!uuid.test(text)) throw unknownMessage();
  return text;
};

/** The failure of a call for a message that is not there. */
export const unknownMessage = (): AppError => new AppError("NOT_FOUND", contactTexts.unknown);

import { backupTexts } from "#contract/backup-texts.ts";

/** Complaint about a text that should be an age recipient, with the checksum at its end, or `null`. */
export const recipientComplaint = async (text: string): Promise<string | null> => {
  // More code than many a module: a server that makes no backup does without.
  const { Encrypter } = await import("age-encryption");
  try {
    new Encrypter().addRecipient(text);
    return null;
  } catch {
    return backupTexts.badRecipient;
  }
};

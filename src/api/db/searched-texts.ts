import { sql } from "drizzle-orm";

/** What a search of each of these lists looks into, in lower case; its index is found by this very expression. */
export const searchedTexts = {
  users: sql`lower(name || E'\\n' || email)`,
  contact_messages: sql`lower(name || E'\\n' || email || E'\\n' || message)`,
  mails: sql`lower(recipient || E'\\n' || subject)`,
} as const;

import { sql } from "drizzle-orm";
import { customType, timestamp } from "drizzle-orm/pg-core";

/** Raw bytes. */
export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => "bytea",
  fromDriver: (value) => new Uint8Array(value),
  toDriver: (value) => Buffer.from(value),
});

/** A moment, whatever the time zone of server and session. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** What a search of each of these lists looks into, in lower case; its index is found by this very expression. */
export const searchedTexts = {
  users: sql`lower(name || E'\\n' || email)`,
  contact_messages: sql`lower(name || E'\\n' || email || E'\\n' || message)`,
  mails: sql`lower(recipient || E'\\n' || subject)`,
} as const;

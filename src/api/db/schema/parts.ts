import { sql } from "drizzle-orm";
import { customType, timestamp } from "drizzle-orm/pg-core";
import { contactFields, mailFields, searchedNames, userFields } from "#contract/field-marks.ts";

/** Raw bytes. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
  fromDriver: (value) => new Uint8Array(value),
});

/** A moment, whatever the time zone of server and session. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

const searchedTextOf = (...of: Parameters<typeof searchedNames>) =>
  sql.raw(`lower(${searchedNames(...of).join(" || E'\\n' || ")})`);

/** What a search of each of these lists looks into, in lower case; its index is found by this very expression. */
export const searchedTexts = {
  users: searchedTextOf(userFields),
  contact_messages: searchedTextOf(contactFields),
  mails: searchedTextOf(mailFields),
} as const;

import { customType, timestamp } from "drizzle-orm/pg-core";

/** Raw bytes. */
export const bytes = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => "bytea",
  fromDriver: (value) => new Uint8Array(value),
  toDriver: (value) => Buffer.from(value),
});

/** A moment, whatever the time zone of server and session. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** `#app/db`: what the tables and queries of own features are made of, beside Drizzle itself. */
export type { Database } from "#api/core/database.ts";
export { containsText, countFound } from "#api/db/long-lists.ts";
export { appSchema, textColumns } from "#api/db/own-schema.ts";
export { instant } from "#api/db/schema/parts.ts";
export { users } from "#api/db/schema.ts";
export { rowsAtATime } from "./core/database.ts";

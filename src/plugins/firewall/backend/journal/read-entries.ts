import type { JournalEntry } from "../wire.ts";

/** Entries among stored values: what is no entry is left out. */
export const readEntries = (value: unknown): JournalEntry[] =>
  Array.isArray(value) ? value.filter(isEntry) : [];

/** Written by this plugin alone; an entry of another version lacks fields that pages show. */
const isEntry = (value: unknown): value is JournalEntry => {
  const fields: Record<string, unknown> = Object.fromEntries(Object.entries(Object(value)));
  const isText = (name: string) => typeof fields[name] === "string";
  return (
    ["id", "at", "verdict", "address", "method", "path", "query", "userAgent", "replica"].every(isText) &&
    Array.isArray(fields.reasons) &&
    typeof fields.status === "number"
  );
};

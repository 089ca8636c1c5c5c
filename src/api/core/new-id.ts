/** A fresh UUID of version 7 for a row: unique everywhere, and later ids sort after earlier ones. */
export const newId = (): string => Bun.randomUUIDv7();

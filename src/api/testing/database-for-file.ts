import { afterAll } from "bun:test";
import { openTestDatabase, type TestDatabase } from "./database.ts";
import { openTestHandle, type TestDatabaseHandle } from "./database-handle.ts";

/** An empty, migrated database for all tests of a file, which is closed after them. Await it at the top of the file. */
export const databaseForFile = async (): Promise<TestDatabase> => {
  const database = await openTestDatabase();
  afterAll(() => database.close());
  return database;
};

/** The same opened as the product does, and not migrated on a server. */
export const handleForFile = async (): Promise<TestDatabaseHandle> => {
  const opened = await openTestHandle();
  afterAll(() => opened.close());
  return opened;
};

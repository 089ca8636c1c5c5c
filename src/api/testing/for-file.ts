import { afterAll } from "bun:test";
import { createTestHost, type TestHost, type TestHostOptions } from "./host.ts";

/** A host for all tests of a file, which is closed after them. Await it at the top of the file. */
export const hostForFile = async (options: TestHostOptions = {}): Promise<TestHost> => {
  const host = await createTestHost(options);
  afterAll(() => host.close());
  return host;
};

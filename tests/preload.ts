/**
 * Loaded once by each process that runs test files. A test that writes to `console.error` without saying so fails, and so
 * does the first one of a file that finds what the file before it has left behind.
 */
import { afterAll, afterEach, beforeEach } from "bun:test";
import { join } from "node:path";
import { createLeftovers } from "./leftovers.ts";

// Plugins' tests start the program by this name.
process.env.ATRIUM_BIN ??= join(import.meta.dir, "../src/cli/main.ts");
// Bun's own choice for tests: what is there can be put back.
process.env.TZ ??= "Etc/UTC";

const unexpected: string[] = [];
const print = console.error;

// A test that expects the call replaces it with `spyOn(console, "error")`, and so never comes here.
console.error = (...words: unknown[]) => {
  unexpected.push(words.map(String).join(" "));
  print(...words);
};

const failOnErrors = () => {
  const calls = unexpected.splice(0);
  if (calls.length > 0) throw new Error(`console.error was called unexpectedly: ${calls.join("\n")}`);
};

afterEach(failOnErrors);
afterAll(failOnErrors);

const leftovers = createLeftovers();

beforeEach(() => {
  const found = leftovers.before(Bun.main);
  if (found !== null) throw new Error(found);
});
afterEach(leftovers.after);

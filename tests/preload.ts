/** Loaded before every test file: a test that writes to `console.error` without saying so fails. */
import { afterAll, afterEach } from "bun:test";
import { join } from "node:path";

// Plugins' tests start the program by this name.
process.env.ATRIUM_BIN ??= join(import.meta.dir, "../src/cli/main.ts");

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

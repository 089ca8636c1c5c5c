/** `bun run test`, see `suites/test-command.ts`. Its last line is `N passed, N failed, N skipped`. */
import { ensureDependencies } from "./prepare/ensure-dependencies.ts";
import { readTestCommand, usage } from "./suites/test-command.ts";

// Ending through `exit` lets a running database server be stopped on the way out.
process.on("SIGINT", () => process.exit(130));
process.on("SIGTERM", () => process.exit(143));

const words = process.argv.slice(2);
const command = readTestCommand(words);

// What follows imports packages, so they have to be installed first.
if (words.includes("--help")) {
  console.log(usage);
} else if (words.includes("--slowest")) {
  const { printSlowestOfLastRuns } = await import("./suites/print-results.ts");
  printSlowestOfLastRuns();
} else if (words[0] === "faults-planted") {
  ensureDependencies({ tools: true });
  const { plantFaults } = await import("./suites/plant-faults.ts");
  process.exit(await plantFaults(words.slice(1)));
} else if (typeof command === "string") {
  console.error(command);
  process.exit(2);
} else {
  ensureDependencies({ tools: true });
  const { runTests } = await import("./suites/run-tests.ts");
  process.exit(await runTests(command));
}

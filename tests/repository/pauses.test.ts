import { expect, test } from "bun:test";
import { findPauses } from "./find-pauses.ts";
import { sourceFiles } from "./source-files.ts";

const slowOnPurpose = "a part that is slow on purpose";
const fault = "how long a fault lasts while a load goes on";
const measured = "how long is measured";
const loadBefore = "a stop or backup that comes while a load goes on";
const moment = "a kill or stop comes at a moment that is left to chance";

/** How many pauses a file has, and what for. */
const reviewed: Record<string, [count: number, what: string]> = {
  "src/api/adapters/outbound/create-outbound.test.ts": [1, slowOnPurpose],
  "src/api/adapters/redis/hostile-flow.test.ts": [1, "the second over which the product counts"],
  "src/api/plugin-host/schedule/scheduler.test.ts": [1, slowOnPurpose],
  "src/api/testing/identity/faulty-answer.ts": [1, slowOnPurpose],
  "src/cli/commands/completion.test.ts": [1, slowOnPurpose],
  "src/cli/commands/doctor.test.ts": [1, slowOnPurpose],
  "tests/bench/lines/plugins.ts": [1, measured],
  "tests/bench/lines/start.ts": [1, measured],
  "tests/e2e/layout-shift.test.ts": [1, slowOnPurpose],
  "tests/faults/backup-kills.test.ts": [1, loadBefore],
  "tests/faults/database-away.test.ts": [1, fault],
  "tests/faults/dependencies-away.test.ts": [5, fault],
  "tests/faults/drain.test.ts": [9, loadBefore],
  "tests/faults/live-stream.test.ts": [1, "longer than the server leaves a silent connection open"],
  "tests/faults/plugin-kills.test.ts": [1, moment],
  "tests/faults/plugin-uploads.test.ts": [1, measured],
  "tests/faults/redis-outage.test.ts": [3, fault],
  "tests/faults/slow-clients.test.ts": [1, slowOnPurpose],
  "tests/faults/soak.test.ts": [1, measured],
  "tests/fixtures/hostile-plugins/locked-child.ts": [1, slowOnPurpose],
  "tests/replicas/rolling-restart.test.ts": [1, measured],
  "tests/replicas/shared-work.test.ts": [1, measured],
  "tests/services/attempt-guard-hostile.test.ts": [1, "a later moment by the clock of Redis"],
  "tests/services/object-store-faults.test.ts": [1, slowOnPurpose],
  "tests/services/object-store.test.ts": [1, moment],
  "tests/services/rate-limit-faults.test.ts": [1, fault],
};

const testFiles = sourceFiles("src", "scripts", "tests").filter(
  ({ path }) => /\.test\.ts$|\/testing\//.test(path) || path.startsWith("tests/"),
);

test("no test waits for a while instead of for something", () => {
  const found = Object.entries(Object.groupBy(findPauses(testFiles), ({ path }) => path));
  const expected = Object.entries(reviewed).map(([path, [count]]) => `${path}: ${count}`);
  expect(found.map(([path, pauses]) => `${path}: ${pauses?.length}`).sort()).toEqual(expected.sort());
});

test("a pause is found in a test and in what helps it, and not in a loop or where only a turn is waited for", () => {
  const text = `
test("x", async () => {
  WAIT(50);
  WAIT(0);
  while (!isDone) WAIT(1);
  for (const one of all) {
    if (one) {
      WAIT(pauseMs);
    }
    run(async () => {
      WAIT(1_000);
    });
  }
});`.replaceAll("WAIT", "await Bun.sleep");
  expect(findPauses([{ path: "a.test.ts", text }]).map(({ line }) => line)).toEqual([3, 11]);
});

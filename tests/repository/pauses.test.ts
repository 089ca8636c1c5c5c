import { expect, test } from "bun:test";
import type { SourceFile } from "./find-import-violations.ts";
import { sourceFiles } from "./source-files.ts";

const slowOnPurpose = "a part that is slow on purpose";
const fault = "how long a fault lasts while a load goes on";
const measured = "how long is measured";
const moment = "a kill or stop comes at a moment that is left to chance";
const nothing = "time enough for what must not happen";
const limit = "a limit of the product that is real time";

/** How many pauses a file has, and what for. */
const reviewed: Record<string, [count: number, what: string]> = {
  "src/api/adapters/outbound/create-outbound.test.ts": [1, slowOnPurpose],
  "src/api/adapters/redis/hostile-flow.test.ts": [1, limit],
  "src/api/modules/auth/setup-admin.test.ts": [1, nothing],
  "src/api/modules/auth/sign-in-race.test.ts": [1, nothing],
  "src/api/plugin-host/sandbox/start-sandbox.test.ts": [3, slowOnPurpose],
  "src/api/plugin-host/dispatch/scheduler.test.ts": [1, slowOnPurpose],
  "src/api/testing/identity/faulty-answer.ts": [1, slowOnPurpose],
  "src/cli/commands/completion/completion.test.ts": [1, slowOnPurpose],
  "src/cli/commands/doctor/doctor.test.ts": [1, slowOnPurpose],
  "src/cli/serve.test.ts": [1, nothing],
  "src/ui/testing/pages.test.ts": [1, nothing],
  "tests/bench/lines/plugins.ts": [1, measured],
  "tests/bench/lines/start.ts": [1, measured],
  "tests/e2e/call-limit.test.ts": [1, nothing],
  "tests/e2e/layout-shift.test.ts": [1, slowOnPurpose],
  "tests/e2e/plugin-frame-reach.test.ts": [1, nothing],
  "tests/faults/database-away.test.ts": [1, fault],
  "tests/faults/dependencies-away.test.ts": [5, fault],
  "tests/faults/drain.test.ts": [1, limit],
  "tests/faults/hostile-plugins.test.ts": [1, nothing],
  "tests/faults/live-stream.test.ts": [1, limit],
  "tests/faults/mail-storm.test.ts": [1, moment],
  "tests/faults/plugin-kills.test.ts": [1, moment],
  "tests/faults/redis-outage.test.ts": [3, fault],
  "tests/faults/secrets-rotate.test.ts": [1, moment],
  "tests/faults/slow-clients.test.ts": [1, slowOnPurpose],
  "tests/faults/soak.test.ts": [1, measured],
  "tests/fixtures/hostile-plugins/locked-child.ts": [1, slowOnPurpose],
  "tests/replicas/shared-work.test.ts": [1, measured],
  "tests/services/attempt-guard-faults.test.ts": [1, fault],
  "tests/services/object-store-faults.test.ts": [1, slowOnPurpose],
  "tests/services/postgres.test.ts": [1, slowOnPurpose],
  "tests/services/rate-limit-faults.test.ts": [2, fault],
};

const testFiles = sourceFiles("src", "scripts", "tests").filter(
  ({ path }) => /\.test\.tsx?$|\/testing\//.test(path) || path.startsWith("tests/"),
);

test("no test waits for a while instead of for something", () => {
  const found = Object.entries(Object.groupBy(findPauses(testFiles), ({ path }) => path));
  const expected = Object.entries(reviewed).map(([path, [count]]) => `${path}: ${count}`);
  expect(found.map(([path, pauses]) => `${path}: ${pauses?.length}`).sort()).toEqual(expected.sort());
});

test("a pause is found in a test and in what helps it, and not where something else is asked for or only a turn is waited for", () => {
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
  for (let count = 0; count < 5; count += 1) {
    if (await isDone()) break;
    WAIT(5);
  }
  await page.waitFor_Timeout(5);
  await Promise.race([over, Bun._sleep(5)]);
  await Promise.race([
    over,
    Bun._sleep(5).then(() => "late"),
  ]);
  await new Promise((resolve) => set_Timeout(resolve, 5));
  await new Promise((resolve) => set_Timeout(resolve, 0));
});`
    .replaceAll("WAIT", "await Bun.sleep")
    .replaceAll(/_(?=sleep|Timeout)/g, "");
  expect(findPauses([{ path: "a.test.ts", text }]).map(({ line }) => line)).toEqual([
    3, 8, 11, 18, 19, 22, 24,
  ]);
});

/** A statement that does nothing but wait for a while. */
type Pause = { path: string; line: number };

/** A promise that is kept once a while has passed, and nothing else comes of it. */
const span = String.raw`(?:Bun\.sleep|[^.\w]sleep|waitForTimeout|setTimeout)\((?!0\))`;
const wait = /^\s*await (?:\w+(?:\.\w+)*\.)?(?:Bun\.sleep|sleep|waitForTimeout|setTimeout)\((?!0\))/;
/** One of those in a race: whatever else is waited for, the test goes on once the time is over. */
const race = new RegExp(String.raw`\bPromise\.race\(.*${span}`);
/** The same in a page or by hand. */
const timer = /new Promise(?:<\w+>)?\(.*\bsetTimeout\(resolve, (?!0\))/;

const indentOf = (line: string): number => line.length - line.trimStart().length;
const isFunction = (line: string): boolean => /=>(?: \{)?$|\bfunction\b/.test(line);
/** A loop that goes over a list or counts, and so ends whatever it sees. */
const isCounted = (line: string): boolean =>
  /^\s*for (?:await )?\((?:const|let) .* of /.test(line) ||
  /^\s*for \(let \w+ = \d+; \w+ <=? [\w.]+; /.test(line);
const isLoop = (line: string): boolean => /^\s*(?:\} )?(?:for|while|do)\b/.test(line);
const leavesLoop = (line: string): boolean => /\b(?:break|return|continue)\b/.test(line);

/**
 * Where tests wait for a while and not for something. A loop of the same function that ends by what it sees asks for
 * something in between; one that counts, or goes over a list and is never left early, only waits more often. The lines around
 * a statement are told by their indentation, which the formatter sees to.
 */
const findPauses = (files: readonly SourceFile[]): Pause[] =>
  files.flatMap(({ path, text }) => {
    const lines = text.split("\n");
    return lines.flatMap((line, index) => {
      const isPause =
        (wait.test(line) && !isPolling(lines, index)) || isRace(lines, index) || timer.test(line);
      return isPause ? [{ path, line: index + 1 }] : [];
    });
  });

const isRace = (lines: readonly string[], index: number): boolean => {
  const line = lines[index] ?? "";
  if (race.test(line)) return true;
  // A race that the formatter has broken over lines.
  const opener = lines.slice(0, index).findLastIndex((before) => indentOf(before) < indentOf(line));
  return new RegExp(span).test(` ${line}`) && /\bPromise\.race\(\[?$/.test(lines[opener] ?? "");
};

const isPolling = (lines: readonly string[], index: number): boolean => {
  let indent = indentOf(lines[index] ?? "");
  for (const [above, line] of [...lines.slice(0, index).entries()].reverse()) {
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    if (isFunction(line)) return false;
    if (!isLoop(line)) continue;
    if (!isCounted(line) || bodyOf(lines, above).some(leavesLoop)) return true;
  }
  return false;
};

const bodyOf = (lines: readonly string[], loop: number): readonly string[] => {
  const indent = indentOf(lines[loop] ?? "");
  const rest = lines.slice(loop + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && indentOf(line) <= indent);
  return end < 0 ? rest : rest.slice(0, end);
};

import { expect, test } from "bun:test";
import { createRecordingLog } from "#api/testing/recording-log.ts";
import { tellOfWait } from "./await-database.ts";

test("a wait of 25 seconds is told of in its first, eleventh and twenty-first, with how long it has been", () => {
  const log = createRecordingLog();
  const tell = tellOfWait(log);
  for (let second = 1; second <= 25; second += 1) tell(second * 1_000);
  expect(log.entries.map(({ level, fields }) => [level, fields?.waitedMs])).toEqual([
    ["warn", 1_000],
    ["warn", 11_000],
    ["warn", 21_000],
  ]);
});

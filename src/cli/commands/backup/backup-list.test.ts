import { expect, test } from "bun:test";
import { run, success } from "#cli/testing/run.ts";

test("backup list lets no words of a storage server steer the terminal", async () => {
  const state = { backups: [], storageFault: "no\u001b[2J\u202e answer", last: null, run: null, proof: null };
  const { code, err } = await run(["backup", "list"], { answer: () => success(state) });
  expect(code).toBe(0);
  expect(err).toContain("backups in object storage are not shown: no\uFFFD[2J\uFFFD answer\n");
});

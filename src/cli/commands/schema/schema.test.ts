import { expect, test } from "bun:test";
import { run } from "#cli/testing/run.ts";

test("where nothing is installed schema says who describes a plugin's commands", async () => {
  const composition = { hasDatabase: () => false };
  const { code, err, calls } = await run(["schema", "firewall", "list"], { composition });
  expect([code, calls]).toEqual([2, []]);
  expect(err).toContain("no installation in /nonexistent/atrium");
  expect(err).toContain("described by a server (--url) or an installation (--data-dir)");
  const unknown = await run(["schema", "nonsense"], { composition });
  expect([unknown.code, unknown.err]).toEqual([
    2,
    expect.stringContaining('no command "nonsense" prints JSON'),
  ]);
});

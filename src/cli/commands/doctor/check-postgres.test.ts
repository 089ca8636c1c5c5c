import { expect, test } from "bun:test";
import type { PostgresFacts } from "#cli/composition.ts";
import { checkPostgres } from "./check-services.ts";

const fine: PostgresFacts = {
  version: "17.5",
  versionNumber: 170_005,
  hasTrgm: true,
  mostConnections: 97,
  openConnections: 14,
  isReadOnly: false,
  unsafeSettings: [],
  sharesSessions: false,
  clockAheadMs: 12,
};
const judge = (facts: Partial<PostgresFacts>) => checkPostgres(async () => ({ ...fine, ...facts }));

test("a server that suits is one line with its version and connections", async () => {
  expect(await judge({})).toEqual([
    { name: "PostgreSQL", state: "ok", detail: "17.5, 14 of 97 connections open", remedy: null },
  ]);
});

const findings: [what: string, facts: Partial<PostgresFacts>, state: "warn" | "fail", remedy: RegExp][] = [
  ["too old a version", { version: "14.9", versionNumber: 140_009 }, "fail", /upgrade/],
  ["a missing extension", { hasTrgm: false }, "fail", /postgresql-contrib/],
  ["a standby", { isReadOnly: true }, "fail", /primary/],
  ["a pooler that works by transaction", { sharesSessions: true }, "fail", /pool_mode = session/],
  ["settings that risk what was acknowledged", { unsafeSettings: ["fsync=off"] }, "warn", /postgresql\.conf/],
  ["fewer connections than one server may use", { mostConnections: 10 }, "warn", /max_connections/],
  ["connections that are nearly used up", { openConnections: 95 }, "warn", /max_connections/],
  ["a clock that is off", { clockAheadMs: -90_000 }, "warn", /time server/],
];

for (const [what, facts, state, remedy] of findings) {
  test(`${what} is found, with a remedy`, async () => {
    expect(await judge(facts)).toMatchObject([{ state, remedy: expect.stringMatching(remedy) }]);
  });
}

test("the embedded database has none of it, and a server that cannot be asked is a warning", async () => {
  expect(await checkPostgres(async () => null)).toEqual([]);
  expect(await checkPostgres(() => Promise.reject(new Error("connection refused")))).toMatchObject([
    { state: "warn", detail: "could not be checked: connection refused" },
  ]);
});

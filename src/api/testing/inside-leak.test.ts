import { expect, test } from "bun:test";
import { headersAsSent, insideLeak } from "./inside-leak.ts";
import { manyHostileTexts } from "./many-hostile-texts.ts";

test.each([
  ["a stack", '{"message":"x"}\n    at run (/app/src/index.ts:3:9)'],
  ["a hash of a password", "$argon2id$v=19$m=1"],
  ["a private key", "-----BEGIN PRIVATE KEY-----"],
  ["a statement", 'Failed query: select "id" from "users"'],
  ["a statement", 'select "users"."id", "users"."name" from "users" where "id" = $1'],
  ["a statement", JSON.stringify({ message: 'insert into "sessions" ("hash")' })],
  ["a path of the disk", '{"path":"/tmp/atrium/app.key"}'],
  ["a path of the disk", `could not open ${process.cwd()}/src/index.ts`],
])("of %s is found in a response", (what, text) => {
  expect(insideLeak(text)).toBe(what);
});

test("nothing that clients send is taken for internals of the server", () => {
  for (const text of manyHostileTexts)
    expect([text.slice(0, 80), insideLeak(text)]).toEqual([text.slice(0, 80), null]);
  for (const text of [
    "/api/root/x",
    "https://a.example/var/x",
    "Select a role from the list",
    "update the page",
  ])
    expect(insideLeak(text)).toBeNull();
});

test("there are more than 515 hostile texts, each once", () => {
  expect(manyHostileTexts.length).toBeGreaterThan(515);
  expect(new Set(manyHostileTexts).size).toBe(manyHostileTexts.length);
});

test("headers are looked through whole, but for the session that the caller sent", () => {
  const headers = new Headers({ "x-a": "1", location: "/x?token=abc" });
  headers.append("set-cookie", "sid=own; Path=/");
  headers.append("set-cookie", "sid=other; Path=/");
  const sent = headersAsSent(headers, "sid=own");
  expect(sent).toContain("location: /x?token=abc");
  expect(sent).toContain("sid=other");
  expect(sent).not.toContain("sid=own");
});

import { expect, test } from "bun:test";
import { pgSchema, uuid } from "drizzle-orm/pg-core";
import { personalComplaint } from "./own-schema.ts";
import { users } from "./schema.ts";

const ofUsers = (onDelete?: "cascade" | "set null") => {
  const owner = uuid("owner").references(() => users.id, onDelete && { onDelete });
  return pgSchema("app").table("boats", { owner });
};

test.each([
  ["what happens to its rows", ofUsers(), { hasPersonal: true }, '{ onDelete: "cascade" }'],
  ["whether they are exported", ofUsers("cascade"), { hasPersonal: false }, 'Write "personal" in server.ts'],
])("a table that refers to users has to say %s", (_, table, given, advice) => {
  expect(personalComplaint(table, given)).toContain(advice);
});

test("one that says both, or refers to no users, is fine", () => {
  expect(personalComplaint(ofUsers("set null"), { hasPersonal: true })).toBeNull();
  expect(
    personalComplaint(pgSchema("app").table("ports", { id: uuid() }), { hasPersonal: false }),
  ).toBeNull();
});

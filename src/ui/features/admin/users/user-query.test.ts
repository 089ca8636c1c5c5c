import { expect, test } from "bun:test";
import { readUserQuery, type UserQuery, writeUserQuery } from "./user-table.tsx";

const read = (query: string) => readUserQuery(new URLSearchParams(query));
const plain: UserQuery = { tab: "accounts", search: "", page: 1, role: null, status: null, user: null };

test("a plain address shows all accounts, and that is written as a plain address", () => {
  expect(read("")).toEqual(plain);
  expect(writeUserQuery(plain).toString()).toBe("");
});

test("what was chosen is read again as it was written", () => {
  const chosen: UserQuery = {
    tab: "pending",
    search: "grace & co",
    page: 3,
    role: "admin",
    status: "disabled",
    user: "019a",
  };
  const query = writeUserQuery(chosen).toString();
  expect(query).toBe("search=grace+%26+co&page=3&tab=pending&role=admin&status=disabled&user=019a");
  expect(read(query)).toEqual(chosen);
});

test("what does not exist counts as not chosen", () => {
  expect(read("tab=deleted&role=owner&status=gone&page=-1")).toEqual(plain);
});

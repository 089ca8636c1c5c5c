import { expect, test } from "bun:test";
import { isNarrowed, readMessageFilters, writeMessageFilters } from "./messages-page.tsx";

const read = (query: string) => readMessageFilters(new URLSearchParams(query));
const plain = { search: "", page: 1, subject: null, status: null, message: null };

test("a plain address shows everything, and is what everything is written as", () => {
  expect(read("")).toEqual(plain);
  expect(writeMessageFilters(plain).toString()).toBe("");
  expect(isNarrowed(plain)).toBe(false);
});

test("what was chosen is read again as it was written", () => {
  const chosen = {
    search: "grace & co",
    page: 3,
    subject: "Sales",
    status: "handled",
    message: "019a",
  } as const;
  const query = writeMessageFilters(chosen).toString();
  expect(query).toBe("search=grace+%26+co&page=3&subject=Sales&status=handled&message=019a");
  expect(read(query)).toEqual(chosen);
  expect(isNarrowed(chosen)).toBe(true);
});

test("what does not exist counts as not chosen", () => {
  expect(read("subject=Other&status=unread&page=-1")).toEqual(plain);
});

import { expect, test } from "bun:test";
import { pageBounds, readFilters, writeFilters } from "./list-parts.tsx";

test("a filtered address is read back as it was written", () => {
  const filters = { search: "ada & co", page: 3 };
  expect(readFilters(writeFilters(filters))).toEqual(filters);
});

test("the first page without filters leaves the URL plain", () => {
  expect(writeFilters({ search: "", page: 1 }).toString()).toBe("");
});

test("a page that makes no sense counts as the first", () => {
  for (const page of ["0", "-2", "1.5", "x", "1e99", "10000001", ""]) {
    expect(readFilters(new URLSearchParams({ page })).page).toBe(1);
  }
});

test("pages follow one another without gap or overlap", () => {
  const [first, second] = [pageBounds(1), pageBounds(2)];
  expect(first.offset).toBe(0);
  expect(second.offset).toBe(first.limit);
});

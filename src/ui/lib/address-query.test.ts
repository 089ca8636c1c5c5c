import { expect, test } from "bun:test";
import { addressQuery, choice, idParam, pageParam, textParam } from "./address-query.ts";

const { read, write } = addressQuery({
  search: textParam(20),
  page: pageParam,
  tab: choice(["all", "new"], "all"),
  state: { ...choice(["open", "done"], null), name: "status" },
  opened: idParam,
});
const plain = { search: "", page: 1, tab: "all", state: null, opened: null } as const;
const readText = (text: string) => read(new URLSearchParams(text));

test("a plain address shows everything, and is what everything is written as", () => {
  expect(readText("")).toEqual(plain);
  expect(write(plain).toString()).toBe("");
});

test("what was chosen is read again as it was written", () => {
  const chosen = { search: "grace & co", page: 3, tab: "new", state: "done", opened: "019a" } as const;
  const text = write(chosen).toString();
  expect(text).toBe("search=grace+%26+co&page=3&tab=new&status=done&opened=019a");
  expect(readText(text)).toEqual(chosen);
});

test("what does not exist counts as not chosen", () => {
  expect(readText("tab=none&status=gone&state=done")).toEqual(plain);
  expect(readText(`search=+${"a".repeat(30)}`).search).toHaveLength(20);
});

test("a page that makes no sense counts as the first", () => {
  for (const page of ["0", "-2", "1.5", "x", "1e99", "10000001", ""])
    expect(readText(`page=${page}`)).toEqual(plain);
});

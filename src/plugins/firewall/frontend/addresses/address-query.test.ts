import { describe, expect, test } from "bun:test";
import { readQuery, writeQuery } from "./address-query.ts";

const read = (text: string) => readQuery(new URLSearchParams(text));
const usual = { kind: null, search: "", sort: "created", page: 1 } as const;

describe("the filters of the address lists", () => {
  test("come back from the address bar as they were", () => {
    const query = { kind: "deny", search: "2001:db8::/32 & more", sort: "hits", page: 3 } as const;
    expect(readQuery(writeQuery(query))).toEqual(query);
  });

  test("leave a plain address plain", () => {
    expect(writeQuery(usual).toString()).toBe("");
    expect(read("")).toEqual(usual);
  });

  test("take what makes no sense for the usual", () => {
    expect(read("kind=both&sort=colour&page=-1")).toEqual(usual);
    expect(read("page=1.5").page).toBe(1);
  });
});

import { expect, test } from "bun:test";
import { toSqlView } from "./view-sql.ts";

test("comments between words are blanks", () => {
  expect(toSqlView("union/**/select/*x*/1\n,\t2")).toBe("union select 1 , 2");
});

test("the text of comments that MySQL runs stands without its frame", () => {
  expect(toSqlView("1 /*!50000union*/ /*!select*/ 2")).toBe("1 union select 2");
});

test("a comment that nobody closes stays to be seen", () => {
  expect(toSqlView("admin'/* and so on")).toBe("admin'/* and so on");
});

import { describe, expect, test } from "bun:test";
import { guardCopy, hasCopyFromStdin } from "./unit-reader.ts";
import { message, sqlOf, statementNameOf } from "./wire-protocol.ts";

describe("COPY FROM STDIN is recognized", () => {
  const refused = [
    "COPY t FROM STDIN",
    "copy t (a, b) from stdin with (format csv)",
    "  \n/* why /* nested */ not */ COPY public.t FROM -- line\n STDIN",
    "select 1; copy t from stdin",
    "copy binary t from stdin",
    'copy "a;b" from stdin',
    "select 'a;b'; copy t from stdin",
    "select E'it\\'s'; copy t from stdin",
    "select $tag$ ; $tag$; copy t from stdin",
    "COPY t FROM/**/STDIN",
  ];
  for (const sql of refused) test(sql, () => expect(hasCopyFromStdin(sql)).toBe(true));
});

describe("anything else passes", () => {
  const accepted = [
    "COPY t TO STDOUT",
    "select 'copy t from stdin'",
    "select 1 -- ; copy t from stdin",
    "/* ; copy t from stdin */ select 1",
    "insert into notes values ($$; copy t from stdin$$)",
    "insert into notes values ($a$; copy t from stdin; $$ $a$)",
    "select E'\\'; copy t from stdin'",
    `select "; copy t from stdin" from t`,
    "copy t from '/dev/stdin'",
    "copy t from 'stdin'",
    "select $1 as stdin",
  ];
  for (const sql of accepted) test(sql, () => expect(hasCopyFromStdin(sql)).toBe(false));
});

test("a named statement keeps its name, so that the client's Bind still finds it", () => {
  const guarded = guardCopy(message("P", "s1\0copy t from stdin\0", Buffer.alloc(2)));
  expect(statementNameOf(guarded)).toBe("s1");
  expect(sqlOf(guarded)).toContain("0A000");
});

test("other statements stay as they were sent", () => {
  const frame = message("P", "s1\0select $1\0", Buffer.alloc(2));
  expect(guardCopy(frame)).toBe(frame);
});

import { describe, expect, test } from "bun:test";
import { sqlAttacks } from "../../../../../../tests/fixtures/attacks/sql-attacks.ts";
import { createEngine } from "../engine.ts";
import type { Paranoia } from "../engine-types.ts";
import { foundBy, passedBy, requestOf, usualOptions } from "../testing/inspect.ts";
import { sqlPatterns } from "./all-patterns.ts";
import { eagerPatterns } from "./sql-conditions.ts";
import { documentQueryPatterns } from "./sql-statements.ts";

const engine = createEngine(usualOptions, sqlPatterns);

test(`${sqlAttacks.length} values that break out of a query are found`, () => {
  expect(passedBy(sqlPatterns, sqlAttacks)).toEqual([]);
});

test("queries go on with operators, casts, second statements and broken words of their own", () => {
  const attacks = [
    "order by 24",
    "declare @x",
    "insert into users",
    "(select 1)",
    "grant all on *.* to x",
    "or x=y-- ",
    "or a=a",
    "or name like char(37);",
    "' or ''*'",
    '" --',
    "msdb",
    "select current_user;",
    "copy t(c) to '/tmp/a'",
    "exec sp_",
    "encryptbykey(",
    "1 un<b>ion sel<i>ect a, b from users",
    "1+union+select+1,2",
    "1 union table users",
    "99 union-- x\nselect 1,2",
    "1^(select 1)^1",
    "char(0x27)||char(0x6f)",
    "1 or data @> '{\"a\":1}'",
    "'or(true)or'",
    "' is null or '",
    "'x'!='y",
    "99 order by 7 desc-- ",
    "1; exec(@q)",
    "1; revoke all on users from public",
    ";replace/*a*/into_x(id, name) values (1,'a');",
    "procedure analyse (",
  ];
  expect(passedBy(sqlPatterns, attacks)).toEqual([]);
});

describe("texts that only look like SQL pass", () => {
  const texts = [
    "order by 24 December",
    "insert into the slot",
    "grant all of us access to it",
    "or x = y is what I mean",
    "encrypt by key (or not)",
    "a<b and c>d",
    "Siobhan O'Brien",
    "rock 'n' roll and all that",
    "I'd like to order by phone, or drop me a line",
    "select the best option from the list",
    "Select one from the menu, two from the list.",
    "the European Union select committee on trade",
    "union and order by phone",
    "'yes' or 'no' is all I ask",
    "the dogs' and the cats' food",
    "It's 5 o'clock -- and time to go",
    "delete from my account what you have on me",
    "insert into the slot; update your browser; set a date",
    "please drop table 5 from the booking",
    'a 27" screen; a 32" one',
    "where is it? when 5 or 6 people come",
    "3 > 2 and 5 < 6",
    "cost: $5 or more [in all]",
    "#1 -- the best!",
    "call me (or my wife) between 5 and 6",
    "count (all of them), sum (the rest) and group by colour",
    "what does NULL mean in C?",
    "user(s) and version (1.2)",
    "left(over) right(ly) position (manager)",
    "Tom & Jerry || friends",
    "a@@b, me@example.org",
    "1 or 2 days",
    "2 and a half",
    "-- John",
    "select all that apply from below",
    "execute the plan; declare victory",
    "(see below); select what you like; set it aside; if you call me, do",
    "union of workers",
    "drop table reservations for 2",
    "drop table inc. apt. 3; 2nd floor",
    "SELECT your seat, then ORDER BY phone",
    "time to select the drop-down menu from the bar where it is",
    "we're at system 'A';",
    "O'Brien or O'Neil",
    "I'd like 5 or more; thanks",
    "my favourite 'or' gate = 1 input",
    "use concat() to join, please compress (as you like)",
    "2147483648",
    "0x7fffffff",
    "rediss://app@redis.eu-central.northwind.example:6380/2, mysql.db.example.org",
  ];
  for (const text of texts) test(text, () => expect(engine.inspect(requestOf(text)).hits).toEqual([]));
});

test("what honest texts have now and then is found by those who ask for it", () => {
  const at = (paranoia: Paranoia, text: string): boolean =>
    createEngine({ ...usualOptions, paranoia }, eagerPatterns).inspect(requestOf(text)).isAttack;
  const levels: [text: string, from: Paranoia][] = [
    ["or name is", 2],
    ["||", 2],
    ["0x414243", 2],
    ["x' like y", 3],
    ["O'", 3],
    ["round (1)", 4],
    ["<p>", 4],
  ];
  for (const [text, from] of levels)
    expect([text, ...([1, 2, 3, 4] as const).map((paranoia) => at(paranoia, text))]).toEqual([
      text,
      ...[1, 2, 3, 4].map((paranoia) => paranoia >= from),
    ]);
});

const isOperator = (text: string): boolean => foundBy(documentQueryPatterns, text).length > 0;

const operators = [
  '{"$gt":""}',
  "{ $ne: 1 }",
  "'; return this.a != ''; //",
  "db.users.drop()",
  "db.users.remove({})",
  "function(){return true}",
  "function(){emit(1,1)}",
  "' MATCH (n) DETACH DELETE n //",
  "' CALL dbms.procedures() YIELD name //",
  "LOAD CSV FROM 'http://evil.example' AS x",
  "{__schema{types{name}}}",
];

const prices = [
  "They match (mostly) and return home",
  "It costs $5: fine",
  "function() is a keyword in JavaScript",
  "please call db support",
];

test("operators and scripts for document and graph databases are found", () => {
  expect(operators.filter((text) => !isOperator(text))).toEqual([]);
});

test("prices and sentences with the same words are none", () => {
  expect(prices.filter(isOperator)).toEqual([]);
});

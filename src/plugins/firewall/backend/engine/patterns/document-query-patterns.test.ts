import { expect, test } from "bun:test";
import { foundBy } from "../testing/inspect.ts";
import { documentQueryPatterns } from "./document-query-patterns.ts";

const found = (text: string): boolean => foundBy(documentQueryPatterns, text).length > 0;

const attacks = [
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

const honest = [
  "They match (mostly) and return home",
  "It costs $5: fine",
  "function() is a keyword in JavaScript",
  "please call db support",
];

test("operators and scripts for document and graph databases are found", () => {
  expect(attacks.filter((text) => !found(text))).toEqual([]);
});

test("prices and sentences with the same words are none", () => {
  expect(honest.filter(found)).toEqual([]);
});

import type { Pattern } from "../engine-types.ts";

const shared = { category: "sql-injection", paranoia: 1, severity: "critical", view: "plain" } as const;

/** Operators of databases that take queries as documents. */
export const documentQueryPatterns: readonly Pattern[] = [
  {
    ...shared,
    id: 5050,
    title: "Operator of a document database",
    needs: ["$"],
    find: (text, { raw, name }) =>
      operator.exec(text)?.[0] ?? (name.endsWith(raw.toLowerCase()) ? ownName(name) : null),
  },
  {
    ...shared,
    id: 5051,
    title: "Script for a document database",
    needs: ["this.", "return", "db.", "sleep("],
    find: (text) => script.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 5052,
    title: "Query of a graph database",
    needs: ["match", "dbms.", "load csv", "apoc.", "__schema", "__type"],
    find: (text) => graph.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 5053,
    title: "Function for a document database",
    needs: ["function"],
    find: (text) => filter.exec(text)?.[0] ?? null,
  },
];

const operators =
  "n?eq?|gte?|lte?|n?in|regex|where|exists|n?or|and|not|expr|elemmatch|type|mod|all|size|function|jsonschema|text|search|lookup|unionwith|accumulator|near|natural|comment|rand|set|unset|inc|push|out|merge";
const operator = new RegExp(`(?:^|[\\[.{"'\\s,(])\\$(?:${operators})["']?\\s{0,4}[\\]:]`);
const name = new RegExp(`(?:^|\\.)\\$(?:${operators})$`);
const ownName = (text: string): string | null => name.exec(text)?.[0] ?? null;

const script =
  /['"]\s?(?:;|\|\||&&)\s?(?:return\b|this\.\w|db\.\w|sleep\()|\bdb\.(?:\w{1,32}\.)?(?:find|insert|remove|update|delete|aggregate|getsiblingdb|drop|getcollection\w*|dropdatabase|eval|adminCommand|runcommand|injection)\w{0,16}\(|\bthis\.\w{1,32}(?:\.match\(|\[|\s?[!=]==?\s?['"])/;

const graph =
  /\bmatch\s{1,8}\(\s{0,4}(?:\w{0,2}|\w{0,24}\s{0,4}:\s{0,4}\w{1,32})\s{0,4}\)[^\n]{0,80}?\b(?:return|delete|detach|set|remove)\b|\bcall\s{1,8}(?:dbms|db|apoc)\.\w|\bload\s{1,8}csv\s{1,8}(?:with\s{1,8}headers\s{1,8})?from\s{1,8}["']|\b__schema\s{0,4}\{|\b__type\s{0,4}\(\s{0,4}name|\bapoc\.(?:load|cypher|export|import|util)\b/;

/** What decides about records, and what `mapReduce` calls. */
const filter =
  /^\s{0,8}["']?function\s{0,4}\w{0,16}\(\w{0,16}\)\s{0,4}\{[^\n]{0,80}?\b(?:return\s{1,4}(?:true|1\b|this\.|!|sleep)|emit\s{0,4}\(|sleep\s{0,4}\(|while\s{0,4}\()/;

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
    needs: ["this.", "return", "db."],
    find: (text) => script.exec(text)?.[0] ?? null,
  },
];

const operators =
  "n?eq?|gte?|lte?|n?in|regex|where|exists|n?or|and|not|expr|elemmatch|type|mod|all|size|function|jsonschema|text|search|lookup|unionwith|accumulator|near|natural|comment|rand|set|unset|inc|push|out|merge";
const operator = new RegExp(`(?:^|[\\[.{"'\\s,(])\\$(?:${operators})["']?\\s{0,4}[\\]:]`);
const name = new RegExp(`(?:^|\\.)\\$(?:${operators})$`);
const ownName = (text: string): string | null => name.exec(text)?.[0] ?? null;

const script =
  /['"]\s?(?:;|\|\||&&)\s?(?:return\b|this\.\w|db\.\w|sleep\()|\bdb\.(?:\w{1,32}\.)?(?:find|insert|drop|getcollection\w*|dropdatabase|eval|adminCommand|runcommand|injection)\w{0,16}\(|\bthis\.\w{1,32}(?:\.match\(|\[|\s?[!=]==?\s?['"])/;

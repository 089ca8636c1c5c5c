import type { Pattern } from "../engine-types.ts";
import { sharedFunctions } from "../sql/sql-words.ts";
import { followsForeignQuote, readSql } from "./sql-reader.ts";

const shared = { category: "sql-injection", severity: "critical", view: "sql" } as const;

const keyword =
  /^(?:or|and|xor|like|union|select|having|group|order|limit|between|is|in|not|div|mod|as|from|where)$/;
const logic =
  /(?:\b(?:or|and|xor|not|having)\b|\|\||&&)\s?!?\s?\(?\s?['"`]?[\w.]{1,32}['"`]?\s?(?:=|<|>|!=|<>|\blike\b|\bis\b)/;
const loneOperator = /^\s?(?:\|\||&&|[=<>!]=|<>|<=>|->>?|r?like|regexp|xor|div)\s?$/;

/** What honest texts have now and then, for those who want to see more: each level finds much for little that is honest. */
export const eagerPatterns: readonly Pattern[] = [
  {
    ...shared,
    id: 5060,
    paranoia: 3,
    title: "Operator or keyword behind a closed string",
    needs: ["'", '"', "`"],
    find: (text) => {
      const sql = readSql(text);
      const index = sql.tokens.findIndex(
        ({ kind, text: piece }, place) =>
          (kind === "operator" || keyword.test(piece)) && followsForeignQuote(sql, place),
      );
      return index === -1 ? null : sql.piece(index - 1, index + 2);
    },
  },
  {
    ...shared,
    id: 5062,
    paranoia: 2,
    title: "Logic and a comparison",
    needs: ["=", "<", ">", "like", "is"],
    find: (text) => logic.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 5064,
    paranoia: 2,
    title: "Operator and nothing else",
    needs: ["|", "&", "=", "<", ">", "!", "like", "->", "regexp", "xor", "div"],
    find: (text) => loneOperator.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 5067,
    paranoia: 2,
    title: "Hexadecimal text",
    needs: ["0x"],
    find: (text) => /(?:^|[^\w])0x[\da-f]{3,32}/.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 5061,
    paranoia: 4,
    title: "Call of a function that databases have too",
    needs: ["("],
    find: (text) => {
      const sql = readSql(text);
      const index = sql.tokens.findIndex(
        ({ text: piece }, place) => piece === "(" && sharedFunctions.has(sql.at(place - 1).text),
      );
      return index === -1 ? null : sql.piece(index - 1, index + 2);
    },
  },
  {
    ...shared,
    id: 5066,
    paranoia: 3,
    title: "Quote at an edge of a value, never closed",
    needs: ["'", '"', "`"],
    find: (text) => /^['"`][^'"`]*$|^[^'"`]*['"`]$/.exec(text)?.[0] ?? null,
  },
  {
    id: 6060,
    category: "cross-site-scripting",
    severity: "critical",
    view: "markup",
    paranoia: 4,
    title: "Any element",
    needs: ["<"],
    find: (text) => /<[/!?]?[a-z]/.exec(text)?.[0] ?? null,
  },
];

import type { Pattern } from "../engine-types.ts";
import { followsForeignQuote, readSql } from "../sql/read-sql.ts";
import { sharedFunctions } from "../sql/sql-words.ts";

const shared = { category: "sql-injection", severity: "critical", view: "sql" } as const;

/** What honest texts have now and then, for those who want to see more. */
export const eagerSqlPatterns: readonly Pattern[] = [
  {
    ...shared,
    id: 5060,
    paranoia: 2,
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
    id: 5061,
    paranoia: 2,
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
    id: 5062,
    paranoia: 2,
    title: "Logic and a comparison",
    needs: ["=", "<", ">", "like", "is"],
    find: (text) => logic.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 5063,
    paranoia: 2,
    title: "Two keywords of a query",
    needs: ["by", "from", "into", "execute", "having", "collate", "union"],
    find: (text) => keywords.exec(text)?.[0] ?? null,
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
    id: 5065,
    paranoia: 3,
    title: "Comment behind a value",
    needs: ["--", "#", "/*"],
    find: (text) => /['"\w)]\s?(?:--|\/\*)\s?\S{0,8}$|['")]\s?#\s?\S{0,8}$/.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 5066,
    paranoia: 3,
    title: "Quote at an edge of a value",
    needs: ["'", '"', "`"],
    find: (text) => /^['"`]|['"`]$/.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 5067,
    paranoia: 3,
    title: "Hexadecimal text",
    needs: ["0x"],
    find: (text) => /(?:^|[^\w])0x[\da-f]{3,32}/.exec(text)?.[0] ?? null,
  },
  {
    ...shared,
    id: 5068,
    paranoia: 4,
    title: "Several signs in a row",
    find: (text) => /[^\w\s.,:/]{4}/.exec(text)?.[0] ?? null,
  },
];

const keyword =
  /^(?:or|and|xor|like|union|select|having|group|order|limit|between|is|in|not|div|mod|as|from|where)$/;
const logic =
  /(?:\b(?:or|and|xor|not|having)\b|\|\||&&)\s?!?\s?\(?\s?['"`]?[\w.]{1,32}['"`]?\s?(?:=|<|>|!=|<>|\blike\b|\bis\b)/;
const keywords =
  /\b(?:order|group)\sby\s[\w'"`(]|\bunion\s(?:all\s)?\w|\bexecute\s\w|\bhaving\s?[\w(]|\binsert\sinto\s|\bcollate\s?\S|\bselect\b.{1,64}?\bfrom\b/;
const loneOperator = /^\s?(?:\|\||&&|[=<>!]=|<>|<=>|->>?|r?like|regexp|xor|div)\s?$/;

import { withoutInnerTags } from "./view-sql.ts";

/**
 * A plain text as a shell would read it: without the quotes, backslashes, carets and empty expansions (`$@`, `${x}`,
 * `$()`, two back-quotes) that stand inside of words, `$IFS` as a blank, brace lists as words, a class of characters in
 * a path (`/e[t]c`) as one character. Back-quotes, separators and variables that stand alone stay.
 */
export const toShellView = (text: string): string => {
  if (!/['"\\^$`{[<%]/.test(text)) return text;
  const spaced = withoutInnerTags(text)
    .replace(/\\\r?\n/g, "")
    .replace(/\$(?:\{ifs[^{}]{0,16}\}|ifs(?:\$\d)?(?![a-z_]))/g, " ")
    .replace(/\{[^{}\s:;="']{0,128},[^{}\s:;="']{0,128}\}/g, readBraces);
  return withoutMarks(spaced)
    .replace(emptyExpansion, "")
    .replace(/(?<=[\w/.-])\$(?:\{\w{1,32}\}|[a-z_]\w{0,31}(?=[\s/]|$))/g, "")
    .replace(/(?<=[\w/?*-])\[([^\][\s]{1,32})\](?=[\w/?*.-])|(?<=\/)\[([^\][\s]{1,32})\]/g, readClass)
    .replace(/%[a-z_]{1,24}:~\d{1,3},-?\d{1,3}%/g, "?");
};

/** Expansions of nothing: positional parameters that were not given, substitutions without a command. */
const emptyExpansion = /\$[@*](?=[\w/.$-])|(?<=[\w/])\$[@*1-9!](?!\[)|\$\([\s]{0,8}\)|``|[<>]\([\s]{0,8}\)/g;

const readBraces = (list: string): string => ` ${list.slice(1, -1).replaceAll(",", " ").trim()} `;

/** `[p]` is p, `[p//]` too; what stands for many characters is a question mark. */
const readClass = (_whole: string, inWord: string | undefined, afterSlash: string | undefined): string => {
  const content = (inWord ?? afterSlash ?? "").replace(/\/+$/, "");
  return content.length === 1 ? content : "?";
};

/** Without quotes; without backslashes and carets that stand in words, but `c:\dir` and `\\host` stay paths. */
const withoutMarks = (text: string): string => {
  const pieces: string[] = [];
  let start = 0;
  let isDrive = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32) isDrive = false;
    if (code === 92 && text.charCodeAt(at - 1) === 58) isDrive = true;
    const isMark = code === 34 || code === 39 || (!isDrive && (code === 92 || code === 94));
    if (!isMark || (code > 90 && !isInWord(text, at))) continue;
    pieces.push(text.slice(start, at));
    start = at + 1;
  }
  if (start === 0) return text;
  pieces.push(text.slice(start));
  return pieces.join("");
};

const isInWord = (text: string, at: number): boolean => isWordCode(text.charCodeAt(at + 1));

/** Letters, digits, `-`, `.`, `/`, quotes. */
const isWordCode = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 45 && code <= 57) || code === 34 || code === 39;

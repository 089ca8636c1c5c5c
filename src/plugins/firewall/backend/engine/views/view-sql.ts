/**
 * A plain text as a database would read it: comments between words are blanks, the text of MySQL's executable comments
 * (`/*!50000union…`) stands without its frame, white space is single blanks.
 */
export const toSqlView = (text: string): string => {
  const open = text.includes("/*") ? withoutComments(text) : text;
  return withoutInnerTags(open).replace(/\s+/g, " ");
};

/** Filters that take tags out leave `select` of `sel<b>ect`. */
export const withoutInnerTags = (text: string): string =>
  text.includes("<") ? text.replace(/(?<=[a-z])<\/?[a-z]{0,10}>(?=[a-z])/g, "") : text;

const withoutComments = (text: string): string => {
  const pieces: string[] = [];
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf("/*", at);
    if (start === -1) break;
    pieces.push(text.slice(at, start));
    const end = text.indexOf("*/", start + 2);
    const inner = text.slice(start + 2, end === -1 ? text.length : end);
    const executable = /^m?!\d{0,6}/.exec(inner);
    if (executable !== null) pieces.push(" ", inner.slice(executable[0].length), " ");
    else if (end === -1) {
      // A comment that nobody closes swallows the rest of the statement: matchers must see that it is there.
      pieces.push("/*", inner);
      return pieces.join("");
    } else pieces.push(" ");
    at = end === -1 ? text.length : end + 2;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
};

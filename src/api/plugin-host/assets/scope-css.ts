/**
 * A plugin's stylesheet, kept to the elements below `[data-plugin="{name}"]`: classes of its own stand last in the
 * cascade and would otherwise change the host's look. What only stands at the top of a stylesheet (`@charset`,
 * `@import`, the order of layers) is left out; a brace that would end the scope early ends the stylesheet instead.
 */
export const scopeCss = (css: string, plugin: string): string => {
  let kept = "";
  let depth = 0;
  let keptFrom = 0;
  let end = css.length;
  token.lastIndex = 0;
  for (let found = token.exec(css); found !== null; found = token.exec(css)) {
    const [piece] = found;
    if (piece === "{") depth += 1;
    else if (piece === "}") depth -= 1;
    else if (depth === 0 && topStatement.test(piece)) {
      kept += css.slice(keptFrom, found.index);
      keptFrom = token.lastIndex;
    }
    if (depth < 0) {
      end = found.index;
      break;
    }
  }
  const closing = "}".repeat(Math.max(depth, 0));
  return `@scope ([data-plugin="${plugin}"]) {\n${kept}${css.slice(keptFrom, end)}${closing}\n}\n`;
};

// Comments, strings, addresses and escapes are stepped over whole: braces in them mean nothing. CSS Syntax 3 §4. No piece
// can begin within another that was given up, so that time grows with the length of the stylesheet alone.
const token =
  /\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[\s\S])*["\n]?|'(?:[^'\\\n]|\\[\s\S])*['\n]?|url\(\s*(?:[^"'\s()\\]|\\[\s\S])+\s*\)|\\[\s\S]|@(?:charset|import|layer)\b(?:"[^"]*"|'[^']*'|[^"';{}@])*;|[{}]/gi;
const topStatement = /^@/;

import { decodeEntities } from "./decode-entities.ts";
import { decodeEscapes } from "./decode-escapes.ts";
import { decodePercent } from "./decode-percent.ts";

/** Attackers wrap a text more than once; what is wrapped more often than this no server unwraps either. */
const mostRounds = 4;

/**
 * The text decoded until nothing is left to decode, in lower case, without control characters, what looks like ASCII as
 * ASCII. A text of plain letters, digits and blanks is its own view.
 */
export const toPlainView = (text: string): string => {
  let decoded = text;
  for (let round = 0; round < mostRounds && /[%&\\]/.test(decoded); round += 1) {
    const next = decodeEscapes(decodeEntities(decodePercent(decoded)));
    if (next === decoded) break;
    decoded = next;
  }
  return foldCharacters(decoded).toLowerCase();
};

const foldCharacters = (text: string): string => (/[^ -~\n\t]/.test(text) ? text.replace(odd, fold) : text);

/** Controls, format characters that are not seen, and writings of ASCII in other blocks. */
const odd = /[[\p{Cc}\p{Cf}\p{Z}\u017f\u02b9\u02bc\u212a\ufe64-\ufe6b\uff01-\uff5e]--[ \n\t]]/gv;

const fold = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  const known = folded.get(code);
  if (known !== undefined) return known;
  return /[\p{Z}\v\f\x85]/u.test(character) ? " " : "";
};

/** Line feeds stay, so do letters and marks that databases and file systems take for ASCII ones, as what they take them for. */
const folded = new Map<number, string>([
  [0x0d, "\r"],
  [0x17f, "s"],
  [0x212a, "k"],
  [0x2b9, "'"],
  [0x2bc, "'"],
  [0x2028, "\n"],
  [0x2029, "\n"],
  [0xfe64, "<"],
  [0xfe65, ">"],
  [0xfe66, "="],
  [0xfe68, "\\"],
  [0xfe69, "$"],
  [0xfe6a, "%"],
  [0xfe6b, "@"],
]);

import { decodeEscapes } from "./decode.ts";
import type { Inspection, Place, Subject } from "./engine-types.ts";
import { makeSubject } from "./make-subject.ts";

/** Gathers the texts of a request. */
export type Collector = {
  subjects: Subject[];
  obstacle: Inspection["obstacle"];
  /** `ownName` is the last part of a name that has several. */
  add(place: Place, name: string, text: string, ownName?: string): void;
};

/**
 * Texts with quotes, brackets and the like that a request may have. Each costs up to twenty microseconds, however short it is;
 * forms and documents of people have dozens, or hundreds. Words, numbers, addresses and dates are not counted: they cost
 * next to nothing.
 */
export const mostOddTexts = 600;

/** So many texts that have signs, but none that is read in several ways, cost as much as an odd one. */
const signedForOdd = 8;
const signs = /[=?!#()|~>}\];*]/;

/** Characters of a name that are kept: what stands in names is looked at as a text. */
export const longestName = 256;

/** Names that say nothing but a name are not looked at: most requests have nothing else. */
const plainName =
  /^(?!.*__)(?![^.]*\.[^.]*\.)(?!(?:java|javax|com|org|class|prototype|phpsessid|jsessionid|document\.(?:cookie|domain|write)|window\.location)\b)[\w.-]*$/i;

/** One or two letters or digits: no attack is as short. Paths and headers are too few to leave any out. */
const isTooShort = (place: Place, name: string, text: string): boolean =>
  text.length < 3 && /^\w+$/.test(text) && /^(?:query|body|cookie)$/.test(place) && !name.includes(".");

/**
 * An empty collection. What is added under an odd name adds the name too, base64 of a text adds that text. After more odd
 * texts than can be looked at in time it is empty again, and stays so.
 */
export const createCollector = (isFromHere = false): Collector => {
  const nameOf = createNameReader();
  let load = 0;
  const push = (place: Place, name: string, text: string): void => {
    const subject = makeSubject(place, name, text, isFromHere);
    if (!subject.isUniform) load += signedForOdd;
    else if (signs.test(text)) load += 1;
    collector.subjects.push(subject);
  };
  const collector: Collector = {
    subjects: [],
    obstacle: null,
    add: (place, written, text, ownName = written) => {
      if (load > mostOddTexts * signedForOdd) {
        collector.subjects = [];
        collector.obstacle = "too-large";
        return;
      }
      const isOdd = !plainName.test(ownName);
      if (!isOdd && (text === "" || isTooShort(place, written, text))) return;
      const name = nameOf(written);
      if (isOdd) {
        push(place, name, ownName);
        // The sign between them may be a part of what was sent: `?' or 1=1`.
        if (text !== "") push(place, name, `${ownName}=${text}`);
      }
      if (text === "") return;
      push(place, name, text);
      const inner = decodeBase64Text(decodeEscapes(text));
      if (inner !== null) push(place, name, inner);
    },
  };
  return collector;
};

/** Names as subjects have them. Lists give thousands of texts the same one in a row: it is made once. */
const createNameReader = (): ((written: string) => string) => {
  let lastWritten = "";
  let lastName = "";
  return (written) => {
    if (written === lastWritten) return lastName;
    lastWritten = written;
    lastName = cutName(written).toLowerCase();
    return lastName;
  };
};

/** A name that is not too long; what was cut shows it, so that no field's name is meant by it. */
export const cutName = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;

const alphabet = /^[\w+/-]{12,}={0,2}$/;

/** What a value of nothing but base64 says when it says a text; `null` when it does not. */
export const decodeBase64Text = (text: string): string | null => {
  if (text.length < 12 || !alphabet.test(text) || /^[a-z]+$|^\d+$/.test(text)) return null;
  const bytes = Buffer.from(text.replaceAll("-", "+").replaceAll("_", "/"), "base64");
  for (const byte of bytes)
    if (byte > 0x7e || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)) return null;
  return bytes.toString("latin1");
};

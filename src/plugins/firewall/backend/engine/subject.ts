import { decodeEscapes } from "./decode.ts";
import type { Inspection, Place, Subject, ViewName } from "./engine-types.ts";
import { toMarkupView, toPathView, toPlainView, toShellView, toSqlView } from "./views.ts";
import { wordSet } from "./words.ts";

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

/**
 * Texts that every reader reads alike, in lower case: no quotes, brackets, escapes, comments, doubled blanks or slashes,
 * and of other alphabets than ours letters alone that look like none of ours.
 */
const uniform =
  /^(?:[\w.,:;+@=?!#()|~>}\]\u00c2-\u00df\u00e2-\u017e\u0180-\u02af\u0370-\u05ff\u0620-\u06d5\u0900-\u167f\u2010-\u2023\u2026\u3041-\ud7ff-]| (?! )|\/(?![/.*])|(?<!\/)\*)*$/;
/** What even of these may be a way of writing dots and slashes. */
const oddPath = /0x[25]|\. [./]|[.]{2}/i;

const makers: Record<Exclude<ViewName, "plain">, (plain: string) => string> = {
  markup: toMarkupView,
  sql: toSqlView,
  shell: toShellView,
  path: toPathView,
};

/** A text of a request, under a name in lower case, whose views are made when they are first asked for. */
export const makeSubject = (place: Place, name: string, raw: string, isFromHere = false): Subject => {
  const isUniform = uniform.test(raw) && !oddPath.test(raw);
  let plain: string | null = null;
  let prose: boolean | null = null;
  let views: Partial<Record<ViewName, string>> | null = null;
  const toPlain = (): string => {
    plain ??= isUniform ? raw.toLowerCase() : toPlainView(raw);
    return plain;
  };
  return {
    place,
    name,
    raw,
    isFromHere,
    isUniform,
    get isProse() {
      prose ??= (place === "body" || place === "query") && isProse(name, toPlain());
      return prose;
    },
    view: (view) => {
      if (view === "plain" || isUniform) return toPlain();
      views ??= {};
      const made = views[view] ?? makers[view](toPlain());
      views[view] = made;
      return made;
    },
  };
};

/** Words that sentences are held together by, in five languages; none of them is a keyword of a query or a shell. */
const joints = wordSet(`
  the is are was were my your you our we they it its this that these those how what why can could would should please does don't
  doesn't have has i'm i'd but not of an to be on there instead only after before says when with which at by as so did any no here me
  all still also them i in a do may will must because used using such other more than been being were had their each same without both
  der die das den dem ist sind war ich wir ihr sie es nicht ein eine einen wie warum mit auf für und oder zu im am bei nach seit nur auch
  kann steht man gibt als hat sich beim aber wenn dann noch
  le la les des du est sont que qui je nous vous il elle ne pas une un pour dans avec sur et ou ce cette après depuis mais comment voici
  aux au mon ma mes ces quand lors être fait plus
  el los las una por para con cómo como está son es mi tu su se pero desde del al cada muy más sin cuando qué lo te ha han he hay esta
  este e o y
  gli che non per sono è mia mio di da dove si nel nella della dopo può ho solo anche ci alla dal dalla quando nei dei delle sul
`);

/** Names of fields that people write in. */
const written =
  /(?:^|[._-])(?:message|msg|comments?|description|text|body|content|notes?|bio|about|question|answer|feedback|review|reason|subject|title|details|summary|nachricht|betreff|kommentar)$/;

/** Letters of languages that are written with ours. */
const words = /[a-z\u00df-\u024f][a-z\u00df-\u024f'\u2019]*/g;

/**
 * Whether a text in lower case is made of sentences, by the words that hold them together: most texts of fields that people
 * write in (`name`), others only where several of these words say so.
 */
const isProse = (name: string, text: string): boolean => {
  if (text.length < 16 || !text.includes(" ")) return false;
  const isWritten = written.test(name);
  const kinds = new Set<string>();
  let count = 0;
  let held = 0;
  for (const [word] of text.matchAll(words)) {
    count += 1;
    if (!joints.has(word) || (!isWritten && word.length < 3)) continue;
    held += 1;
    kinds.add(word);
  }
  if (isWritten) return count >= 5 && (kinds.size >= 2 || count >= 8) && held >= 1;
  return count >= 8 && kinds.size >= 3 && held * 6 >= count;
};

import type { Place, Subject, ViewName } from "./engine-types.ts";
import { toMarkupView, toPathView, toPlainView, toShellView, toSqlView } from "./views.ts";

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
const joints = new Set(
  (
    "the is are was were my your you our we they it its this that these those how what why can could would should please does don't " +
    "doesn't have has i'm i'd but not of an to be on there instead only after before says when with which at by as so did any no here me " +
    "all still also them i in a do may will must because used using such other more than been being were had their each same without both " +
    "der die das den dem ist sind war ich wir ihr sie es nicht ein eine einen wie warum mit auf für und oder zu im am bei nach seit nur auch " +
    "kann steht man gibt als hat sich beim aber wenn dann noch " +
    "le la les des du est sont que qui je nous vous il elle ne pas une un pour dans avec sur et ou ce cette après depuis mais comment voici " +
    "aux au mon ma mes ces quand lors être fait plus " +
    "el los las una por para con cómo como está son es mi tu su se pero desde del al cada muy más sin cuando qué lo te ha han he hay esta " +
    "este e o y " +
    "gli che non per sono è mia mio di da dove si nel nella della dopo può ho solo anche ci alla dal dalla quando nei dei delle sul"
  ).split(" "),
);

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

import type { Place, Subject, ViewName } from "../engine-types.ts";
import { toMarkupView } from "../views/view-markup.ts";
import { toPathView } from "../views/view-path.ts";
import { toPlainView } from "../views/view-plain.ts";
import { toShellView } from "../views/view-shell.ts";
import { toSqlView } from "../views/view-sql.ts";
import { isProse } from "./prose.ts";

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

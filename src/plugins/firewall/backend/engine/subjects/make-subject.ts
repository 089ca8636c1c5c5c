import type { Place, Subject, ViewName } from "../engine-types.ts";
import { toMarkupView } from "../views/view-markup.ts";
import { toPathView } from "../views/view-path.ts";
import { toPlainView } from "../views/view-plain.ts";
import { toShellView } from "../views/view-shell.ts";
import { toSqlView } from "../views/view-sql.ts";

/** All views of such a text are the text itself in lower case. */
const bare = /^[\w .,-]*$/;

const makers: Record<Exclude<ViewName, "plain">, (plain: string) => string> = {
  markup: toMarkupView,
  sql: toSqlView,
  shell: toShellView,
  path: toPathView,
};

/** A text of a request whose views are made when they are first asked for. */
export const makeSubject = (place: Place, name: string, raw: string): Subject => {
  const views: Partial<Record<ViewName, string>> = {};
  const isBare = bare.test(raw);
  const plain = () => {
    views.plain ??= isBare ? raw.toLowerCase() : toPlainView(raw);
    return views.plain;
  };
  return {
    place,
    name: name.toLowerCase(),
    raw,
    isFromHere: false,
    view: (view) => {
      if (view === "plain" || isBare) return plain();
      const made = views[view] ?? makers[view](plain());
      views[view] = made;
      return made;
    },
  };
};

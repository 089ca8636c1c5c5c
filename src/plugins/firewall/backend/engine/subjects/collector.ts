import type { Inspection, Place, Subject } from "../engine-types.ts";
import { decodeEscapes } from "../views/decode-escapes.ts";
import { decodeBase64Text } from "./base64-text.ts";
import { makeSubject } from "./make-subject.ts";

/** Gathers the texts of a request. */
export type Collector = {
  subjects: Subject[];
  obstacle: Inspection["obstacle"];
  /** `ownName` is the last part of a name that has several. */
  add(place: Place, name: string, text: string, ownName?: string): void;
};

/** Names that say nothing but a name are not looked at: most requests have nothing else. */
const plainName =
  /^(?!.*__)(?![^.]*\.[^.]*\.)(?!(?:java|javax|com|org|class|prototype|phpsessid|jsessionid)\b)[\w.-]*$/i;

/** An empty collection. What is added under an odd name adds the name too, base64 of a text adds that text. */
export const createCollector = (isFromHere = false): Collector => {
  const push = (place: Place, name: string, text: string): void => {
    collector.subjects.push({ ...makeSubject(place, name, text), isFromHere });
  };
  const collector: Collector = {
    subjects: [],
    obstacle: null,
    add: (place, name, text, ownName = name) => {
      if (!plainName.test(ownName)) {
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

import type { Inspection, Place, Subject } from "../engine-types.ts";
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
  /^(?!.*__)(?![^.]*\.[^.]*\.)(?!(?:java|javax|com|org|class|phpsessid|jsessionid)\b)[\w.-]*$/i;

/** An empty collection. What is added under an odd name adds the name too, base64 of a text adds that text. */
export const createCollector = (): Collector => {
  const collector: Collector = {
    subjects: [],
    obstacle: null,
    add: (place, name, text, ownName = name) => {
      if (!plainName.test(ownName)) collector.subjects.push(makeSubject(place, name, ownName));
      if (text === "") return;
      collector.subjects.push(makeSubject(place, name, text));
      const inner = decodeBase64Text(text);
      if (inner !== null) collector.subjects.push(makeSubject(place, name, inner));
    },
  };
  return collector;
};

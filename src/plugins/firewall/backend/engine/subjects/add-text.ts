import type { Collector } from "./collector.ts";
import { addJson, looksLikeJson } from "./json-subjects.ts";
import { addPairs } from "./pairs.ts";

/** Adds a body's text by its content type (empty when nobody says) and by what it looks like. */
export const addText = (collector: Collector, text: string, type: string): void => {
  const isJson = looksLikeJson(text) || /json/i.test(type);
  if (isJson && addJson(collector, text)) return;
  const isXml = looksLikeXml(text);
  if (isXml) addXml(collector, text);
  const isForm = /x-www-form-urlencoded/i.test(type);
  if (isForm || (!isXml && /^[\w.[\]%+-]{1,64}=/.test(text))) addPairs(collector, "body", text);
  if (!isForm && !isXml) collector.add("body", "", text);
};

/** Whether a text begins like an XML document. */
const looksLikeXml = (text: string): boolean => /^\s*<(?:\?xml|!doctype|[a-z_][\w:.-]*[\s/>])/i.test(text);

/** Adds an XML document as a whole, and its texts and attributes one by one. */
const addXml = (collector: Collector, text: string): void => {
  collector.add("body", "", text);
  for (const [, attribute, single, content] of text.matchAll(/="([^"]*)"|='([^']*)'|>([^<]+)/g)) {
    const piece = (attribute ?? single ?? content ?? "").trim();
    if (piece !== "") collector.add("body", "", piece);
  }
};

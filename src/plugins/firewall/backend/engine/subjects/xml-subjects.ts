import type { Collector } from "./collector.ts";

/** Whether a text begins like an XML document. */
export const looksLikeXml = (text: string): boolean =>
  /^\s*<(?:\?xml|!doctype|[a-z_][\w:.-]*[\s/>])/i.test(text);

/** Adds an XML document as a whole, and its texts and attributes one by one. */
export const addXml = (collector: Collector, text: string): void => {
  collector.add("body", "", text);
  for (const [, attribute, single, content] of text.matchAll(/="([^"]*)"|='([^']*)'|>([^<]+)/g)) {
    const piece = (attribute ?? single ?? content ?? "").trim();
    if (piece !== "") collector.add("body", "", piece);
  }
};

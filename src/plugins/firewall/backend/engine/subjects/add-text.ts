import type { Collector } from "./collector.ts";
import { addJson, looksLikeJson } from "./json-subjects.ts";
import { addPairs } from "./pair-subjects.ts";
import { addXml, looksLikeXml } from "./xml-subjects.ts";

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

/** Headers that browsers and proxies fill themselves: looked at only when they hold what those never write. */
const mechanical =
  /^(?:accept(?:-.*)?|host|connection|content-(?:type|length|encoding)|cache-control|pragma|if-.*|authorization|origin|te|dnt|range|upgrade.*|keep-alive|via|date|expect|transfer-encoding|priority|sec-(?!websocket-protocol$).*)$/;

/** Words, types and hosts with their parameters, in a list: `text/html;q=0.9, *\/*`, `max-age=0`, `timeout=5, max=9`. */
const list =
  /^(?:[\w.+*:?-]+(?:\/[\w.+*-]+)?(?:=[\w.+*-]*)?(?:\s?;\s?[\w-]+(?:=(?:[\w.+*/=-]*|"[\w.+*-]*"))?)*(?:,\s?|$))+$/;
const dateForm = /^\w{3}, \d{1,2} \w{3} \d{4} [\d:]{8} GMT$/;
/** Marks of versions: `W/"abc"`. */
const tags = /^(?:(?:W\/)?"[\w+/=.:~-]*"(?:,\s?|$))+$/;
/** A scheme and a token. */
const credentials = /^\w{1,24} [\w.~+/=-]+$/;
/** Names of browsers and the one with odd signs that belongs to no browser: `"Not(A:Brand";v="24"`. */
const brands =
  /^(?:"(?:[\w.-]{1,40}(?: [\w.-]{1,40}){0,2}|[ (]?Not[ ().:;=?/_-]A[ ().:;=?/_-]Brand)?"(?:;v="[\d.]{1,24}")?(?:,\s?|$))+$/;
const origin = /^https?:\/\/[\w.:[\]-]+$/;
const forms = [list, dateForm, tags, brands, origin];

/** A second type within `Content-Type`: what reads the last one reads another body than what reads the first. */
const secondType = /[;,]\s{0,4}(?:application|text|multipart)\/\w/i;

/** Whether a header, its name in lower case, says nothing but what browsers and proxies say in it. */
export const isUsualHeader = (name: string, value: string): boolean => {
  if (!mechanical.test(name) || value.includes("..")) return false;
  if (name === "content-type" && secondType.test(value)) return false;
  return forms.some((form) => form.test(value)) || (name === "authorization" && credentials.test(value));
};

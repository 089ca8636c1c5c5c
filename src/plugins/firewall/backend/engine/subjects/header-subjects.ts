import type { Collector } from "./collector.ts";
import { readCookies, readPairs } from "./pairs.ts";

/** Headers that browsers and proxies fill themselves: looked at only when they hold what those never write. */
const mechanical =
  /^(?:accept(?:-.*)?|host|connection|content-(?:type|length|encoding)|cache-control|pragma|if-.*|authorization|origin|te|dnt|range|upgrade.*|keep-alive|via|date|expect|transfer-encoding|priority)$/;
/** A second type within `Content-Type`: what reads the last one reads another body than what reads the first. */
const secondType = /[;,]\s{0,4}(?:application|text|multipart)\/\w/i;
const unusual = /[<>{}$`|\\']|\.\.|%[0-9a-f]{2}/i;

/** Adds the headers whose values somebody may have made up; a `Referer` that is an address is taken apart like one. */
export const addHeaders = (collector: Collector, headers: readonly (readonly [string, string])[]): void => {
  for (const [header, value] of headers) {
    const name = header.toLowerCase();
    if (name.startsWith("sec-") && name !== "sec-websocket-protocol") continue;
    if (name === "cookie") {
      for (const [cookie, text] of readCookies(value)) collector.add("cookie", cookie, text);
    } else if (name === "referer") addReferer(collector, value);
    else if (
      !mechanical.test(name) ||
      unusual.test(value) ||
      (name === "content-type" && secondType.test(value))
    )
      collector.add("header", name, value);
  }
};

const address = /^https?:\/\/[\w.:[\]-]+([^\s<>"'`?#]*)(?:\?([^\s<>"'`#]*))?(?:#([^\s<>"'`]*))?$/i;

const addReferer = (collector: Collector, value: string): void => {
  const match = address.exec(value);
  if (match === null) collector.add("header", "referer", value);
  const [, path = "", query = "", fragment = ""] = match ?? [];
  collector.add("header", "referer", path);
  for (const [name, text] of readPairs(query)) collector.add("header", "referer", text, name);
  collector.add("header", "referer", fragment);
};

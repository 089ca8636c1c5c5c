import type { Collector } from "./collector.ts";
import { readCookies, readPairs } from "./pairs.ts";
import { isUsualHeader } from "./usual-headers.ts";

/** Adds the headers whose values somebody may have made up; a `Referer` that is an address is taken apart like one. */
export const addHeaders = (collector: Collector, headers: readonly (readonly [string, string])[]): void => {
  for (const [header, value] of headers) {
    const name = header.toLowerCase();
    if (name === "cookie") {
      for (const [cookie, text] of readCookies(value)) collector.add("cookie", cookie, text);
    } else if (name === "referer") addReferer(collector, value);
    else if (!isUsualHeader(name, value)) collector.add("header", name, value);
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

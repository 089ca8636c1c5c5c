import type { Collector } from "./collector.ts";

/** Levels of lists and objects that are looked into; the deepest that anybody has a reason for is far less. */
export const deepestJson = 64;

/** Whether a text begins like an object or a list of JSON. */
export const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(text);

/** Adds every text and every name of a JSON text; `false` when it is none. Too deep a one is an obstacle. */
export const addJson = (collector: Collector, text: string): boolean => {
  if (depthOf(text) > deepestJson) {
    collector.obstacle = "too-deep";
    return true;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON after all: the caller reads it as what it is.
    return false;
  }
  walk(collector, "", value);
  return true;
};

const walk = (collector: Collector, name: string, value: unknown): void => {
  if (typeof value === "string") collector.add("body", name, value, "");
  else if (Array.isArray(value)) for (const item of value) walk(collector, name, item);
  else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const path = name === "" ? key : `${name}.${key}`;
      collector.add("body", path, "", key);
      walk(collector, path, item);
    }
  }
};

const depthOf = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isQuoted) {
      if (code === 92) at += 1;
      else if (code === 34) isQuoted = false;
    } else if (code === 34) isQuoted = true;
    else if (code === 91 || code === 123) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return deepest;
};

import { type ClassValue, clsx } from "clsx";

/** Joins class names; of two Tailwind classes for the same property the later one stays. */
export const cn = (...classes: ClassValue[]): string => mergeClasses(clsx(classes));

/**
 * Joins lists of Tailwind classes: a class goes when later ones with the same variants decide about everything it does.
 * It knows the utilities that the interface uses; whatever it does not know always stays.
 */
export const mergeClasses = (classes: string): string => {
  const known = merged.get(classes);
  if (known !== undefined) return known;
  const decided = new Set<string>();
  const kept: string[] = [];
  for (const name of classes.split(/\s+/).reverse()) {
    const slots = slotsOf(name);
    if (slots.length > 0 && slots.every((slot) => decided.has(slot))) continue;
    for (const slot of slots) decided.add(slot);
    kept.push(name);
  }
  const result = kept.reverse().join(" ");
  merged.set(classes, result);
  return result;
};

// The lists stand in the code, so there are only so many of them.
const merged = new Map<string, string>();

/** What a class decides about: properties in the order of the rules below, each with the class's variants. */
const slotsOf = (name: string): string[] => {
  const [variants = ""] = /^(?:(?:\[[^\]]*\]|\([^)]*\)|[^:[(])+:)*/.exec(name) ?? [];
  const utility = name.slice(variants.length).replace(/^-/, "");
  for (const [pattern, slots] of rules) {
    const match = pattern.exec(utility);
    if (match) return slots(match).map((slot) => variants + slot);
  }
  return [];
};

const sides: Record<string, string> = { x: "rl", y: "tb", t: "t", r: "r", b: "b", l: "l" };
const corners: Record<string, string[]> = {
  t: ["tl", "tr"],
  b: ["bl", "br"],
  l: ["tl", "bl"],
  r: ["tr", "br"],
};
const sidesOf = (what: string, side = "") => [...(sides[side] ?? "trbl")].map((one) => what + one);

const rules: [pattern: RegExp, slots: (match: RegExpExecArray) => string[]][] = [
  [/^([mp])([xytrbl]?)-/, ([, what = "", side]) => sidesOf(what, side)],
  [/^inset-(?:([xy])-)?/, ([, side]) => sidesOf("inset", side)],
  [/^(t)op-|^(r)ight-|^(b)ottom-|^(l)eft-/, ([, ...side]) => sidesOf("inset", side.join(""))],
  [/^border(?:-([xytrbl]))?(?:-\d+)?$/, ([, side]) => sidesOf("border", side)],
  [/^rounded-(?:([tblr])-)?/, ([, side = ""]) => corners[side] ?? ["tl", "tr", "bl", "br"]],
  [
    /^(gap|overflow|translate)-(?:([xy])-)?/,
    ([, what = "", axis = "xy"]) => [...axis].map((one) => what + one),
  ],
  [/^size-/, () => ["w", "h"]],
  [/^text-(?:\d?xl|xs|sm|base|lg|\[\d)/, () => ["font-size", "leading"]],
  [/^text-(?:left|center|right)$/, () => ["text-align"]],
  [/^text-(?:balance|pretty)$/, () => ["text-wrap"]],
  [/^font-(?:normal|medium|semibold|bold)$/, () => ["font-weight"]],
  [/^flex-\d/, () => ["grow", "shrink", "basis"]],
  [/^flex-(?:col|row)/, () => ["flex-direction"]],
  [/^border-(?:dashed|dotted)$/, () => ["border-style"]],
  [/^(?:block|contents|flex|grid|hidden|table|inline(?:-\w+)?)$/, () => ["display"]],
  [/^(?:absolute|fixed|relative|sticky)$/, () => ["position"]],
  [
    /^(?:(?:(?:max|min)-[hw]|[hwz]|accent|basis|bg|border|col-span|content|cursor|decoration|fill|font|grid-cols|items|justify(?:-items|-self)?|leading|list|opacity|order|pointer-events|self|text|tracking|whitespace)(?=-)|grow|shrink)/,
    ([what]) => [what],
  ],
];

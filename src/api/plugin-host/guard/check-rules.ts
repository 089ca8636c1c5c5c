import { spanOf } from "#contract/endpoints.ts";
import { pluginLimits } from "#contract/plugins.ts";
import type { GuardRule, Json } from "#plugins/sdk/types.ts";

/** Checked rules, or what is wrong with the first invalid one. */
export type CheckedRules = { rules: GuardRule[] } | { problem: string };

// These bound the memory and time of one plugin's rules.
const mostTextLength = 200;
const windowBoundsMs = [1_000, 24 * 60 * 60 * 1_000] as const;
const mostRequests = 10_000;
const mostMessageLength = 200;

/** Reads the rules that a plugin wants to set, unchecked so far. Problems are for its author. */
export const checkRules = (value: Json): CheckedRules => {
  if (!Array.isArray(value)) return { problem: "Rules must be a list" };
  if (value.length > pluginLimits.rules)
    return { problem: `A plugin has at most ${pluginLimits.rules} rules` };
  const rules: GuardRule[] = [];
  let [entries, textLength] = [0, 0];
  for (const [index, entry] of value.entries()) {
    // Counted first, because reading too much takes time, too.
    for (const text of rawTexts(entry)) {
      entries += 1;
      textLength += text.length;
    }
    if (entries > pluginLimits.ruleEntriesInAll || textLength > pluginLimits.ruleTextInAll)
      return {
        problem: `All rules have at most ${pluginLimits.ruleEntriesInAll} entries and ${pluginLimits.ruleTextInAll} characters in total`,
      };
    const rule = readRule(entry);
    if (typeof rule === "string") return { problem: `Rule ${index}: ${rule}` };
    rules.push(rule);
  }
  return { rules };
};

/** All texts in the lists of an unchecked rule. */
const rawTexts = (entry: Json): string[] =>
  typeof entry !== "object" || entry === null || Array.isArray(entry)
    ? []
    : [entry.cidrs, entry.codes, entry.contains, entry.prefix].flatMap((list) =>
        Array.isArray(list) ? list.filter((item) => typeof item === "string") : [],
      );

type Fields = { [key: string]: Json };
type Read = (fields: Fields) => GuardRule | string;

const readRule = (entry: Json): GuardRule | string => {
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return "must be an object";
  const kind = entry.kind;
  const read = typeof kind === "string" && Object.hasOwn(readers, kind) ? readers[kind] : undefined;
  if (read === undefined) return `kind must be one of ${Object.keys(readers).join(", ")}`;
  return read(entry);
};

const isAction = (value: Json | undefined): value is "block" | "allow" =>
  value === "block" || value === "allow";

const readIp: Read = ({ action, cidrs }) => {
  if (!isAction(action)) return "action must be block or allow";
  const list = textsOf(cidrs);
  if (list === null) return `cidrs must be a list of 1 to ${pluginLimits.ruleEntries} texts`;
  const wrong = list.find((cidr) => spanOf(cidr) === null);
  if (wrong !== undefined) return `"${wrong.slice(0, 60)}" is neither an IP address nor a CIDR range`;
  return { kind: "ip", action, cidrs: list };
};

const readCountry: Read = ({ action, codes }) => {
  if (!isAction(action)) return "action must be block or allow";
  const list = textsOf(codes);
  if (list === null) return `codes must be a list of 1 to ${pluginLimits.ruleEntries} texts`;
  if (list.some((code) => !/^[A-Z]{2}$/.test(code))) return "codes are two capital letters: ISO 3166-1";
  return { kind: "country", action, codes: list };
};

const places = ["path", "query", "user-agent"] as const;
type Place = (typeof places)[number];
const isPlace = (text: string): text is Place => places.some((place) => place === text);

const readPattern: Read = ({ action, in: where, contains, prefix }) => {
  if (action !== "block" && action !== "log") return "action must be block or log";
  const named = textsOf(where) ?? [];
  const found = named.filter(isPlace);
  if (found.length === 0 || found.length < named.length) return `in must be a list of ${places.join(", ")}`;
  const [within, first] = [textsOf(contains), textsOf(prefix)];
  const isUsable = (given: Json | undefined, list: string[] | null) => given === undefined || list !== null;
  if (!isUsable(contains, within) || !isUsable(prefix, first) || (within === null && first === null))
    return `contains or prefix must be a list of 1 to ${pluginLimits.ruleEntries} texts of 1 to ${mostTextLength} characters`;
  return {
    kind: "pattern",
    action,
    in: [...new Set(found)],
    ...(within === null ? {} : { contains: within }),
    ...(first === null ? {} : { prefix: first }),
  };
};

const readRate: Read = ({ key, windowMs, max, message }) => {
  if (key !== "ip" && key !== "ip+path" && key !== "user") return "key must be ip, ip+path or user";
  const [least, most] = windowBoundsMs;
  if (!isWhole(windowMs, least, most)) return `windowMs must be a whole number from ${least} to ${most}`;
  if (!isWhole(max, 1, mostRequests)) return `max must be a whole number from 1 to ${mostRequests}`;
  if (message === undefined || message === null) return { kind: "rate", key, windowMs, max };
  if (typeof message !== "string" || message.length > mostMessageLength || /\p{C}/u.test(message))
    return `message must be a text of at most ${mostMessageLength} characters`;
  return { kind: "rate", key, windowMs, max, message };
};

const isWhole = (value: Json | undefined, least: number, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

const textsOf = (value: Json | undefined): string[] | null => {
  if (!Array.isArray(value) || value.length === 0 || value.length > pluginLimits.ruleEntries) return null;
  const texts = value.filter((item): item is string => typeof item === "string" && item !== "");
  const isUsable = texts.length === value.length && texts.every((text) => text.length <= mostTextLength);
  return isUsable ? texts : null;
};

const readers: Record<string, Read> = {
  ip: readIp,
  country: readCountry,
  pattern: readPattern,
  rate: readRate,
};

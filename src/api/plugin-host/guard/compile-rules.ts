import { spanOf } from "#contract/networks.ts";
import type { GuardRule } from "#plugins/sdk/types.ts";
import { createAddressTest } from "./address-ranges.ts";
import { createTextMatcher, type SoughtText, type TextMatcher } from "./text-matcher.ts";

/** What rules look at. */
export type RuleFacts = { path: string; search: string; userAgent: string | null; ip: string };

/** Country of an address in two capital letters; `null` where it is not known. */
export type CountryOf = (ip: string) => string | null;

/** A rule, ready to be asked. `decides` says whether it is about a request: a rate rule is about all. */
export type CompiledRule = { rule: GuardRule; decides(facts: RuleFacts, patterns: PatternsFound): boolean };

/** Which pattern rules a request has to do with; looked for once, when the first of them asks. */
export type PatternsFound = (rule: number) => boolean;

/** A plugin's rules in their order. */
export type CompiledRules = {
  rules: CompiledRule[];
  findPatterns(facts: RuleFacts): PatternsFound;
};

/** Prepares checked rules; without `countryOf` those about countries are about nobody. */
export const compileRules = (rules: readonly GuardRule[], countryOf: CountryOf | null): CompiledRules => {
  const patterns = patternsOf(rules);
  return {
    rules: rules.map((rule, index) => ({ rule, decides: testOf(rule, index, countryOf) })),
    findPatterns: (facts) => {
      let found: Uint32Array | null = null;
      return (rule) => {
        found ??= search(patterns, facts);
        return (((found[rule >> 5] ?? 0) >>> (rule & 31)) & 1) === 1;
      };
    },
  };
};

type Place = "path" | "query" | "user-agent";

const testOf = (rule: GuardRule, index: number, countryOf: CountryOf | null): CompiledRule["decides"] => {
  if (rule.kind === "rate") return () => true;
  if (rule.kind === "pattern") return (_facts, patterns) => patterns(index);
  if (rule.kind === "ip") {
    const isListed = createAddressTest(rule.cidrs.map(spanOf).filter((span) => span !== null));
    return ({ ip }) => isListed(ip);
  }
  const codes = new Set(rule.codes);
  return ({ ip }) => {
    const country = countryOf?.(ip) ?? null;
    return country !== null && codes.has(country);
  };
};

/** One matcher for the texts of all rules, and which rules look at what. */
type Patterns = { matcher: TextMatcher | null; ruled: Record<Place, Uint32Array> };

const ruleWords = 4;

const patternsOf = (rules: readonly GuardRule[]): Patterns => {
  const sought: SoughtText[] = [];
  const none = () => new Uint32Array(ruleWords);
  const ruled = { path: none(), query: none(), "user-agent": none() };
  for (const [owner, rule] of rules.entries()) {
    if (rule.kind !== "pattern") continue;
    for (const text of rule.contains ?? []) sought.push({ text: text.toLowerCase(), isPrefix: false, owner });
    for (const text of rule.prefix ?? []) sought.push({ text: text.toLowerCase(), isPrefix: true, owner });
    for (const place of rule.in) {
      const word = owner >> 5;
      ruled[place][word] = (ruled[place][word] ?? 0) | (1 << (owner & 31));
    }
  }
  return { matcher: sought.length === 0 ? null : createTextMatcher(sought), ruled };
};

const search = ({ matcher, ruled }: Patterns, facts: RuleFacts): Uint32Array => {
  const found = new Uint32Array(ruleWords);
  const look = (place: Place, texts: string[]) => {
    if (matcher === null || ruled[place].every((word) => word === 0)) return;
    const here = new Uint32Array(ruleWords);
    for (const text of texts) matcher(text.toLowerCase(), here);
    for (const [word, rules] of ruled[place].entries())
      found[word] = (found[word] ?? 0) | ((here[word] ?? 0) & rules);
  };
  look("path", readings(facts.path));
  look("query", facts.search === "" ? [] : readings(facts.search.slice(1).replaceAll("+", " ")));
  look("user-agent", facts.userAgent === null ? [] : [facts.userAgent]);
  return found;
};

const mostReadings = 3;

/** A text as it came, and as it reads after its escapes were undone once and twice. */
const readings = (text: string): string[] => {
  const all = [text];
  while (all.length < mostReadings) {
    const last = all.at(-1) ?? "";
    if (!last.includes("%")) break;
    const decoded = unescaped(last);
    if (decoded === last) break;
    all.push(decoded);
  }
  return all;
};

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // Escapes that are no UTF-8 hide nothing: each stands for its byte.
    return text.replace(/%([0-9a-f]{2})/gi, (_escape, digits) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
  }
};

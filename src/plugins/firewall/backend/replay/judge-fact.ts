import type { ArrivingRequest, NativeHost } from "#plugins/sdk/native-types.ts";
import type { Compiled } from "../change/in-force.ts";
import type { State } from "../change/lock-out.ts";
import {
  countriesFrom,
  exemptionFrom,
  type Making,
  newAddress,
  putExemption,
  putRate,
  rateFrom,
} from "../edit/rule-edits.ts";
import { judgeAddress, judgeHead, type PatternVerdict } from "../inspect/judge.ts";
import { countersOf, type RouteKind } from "../inspect/judge-rates.ts";
import type { Rules } from "../rules/rules.ts";
import type { ReplayDraft } from "../wire.ts";
import type { Fact } from "./facts.ts";

/** What rules would have made of a request. */
type FactVerdict = {
  isStopped: boolean;
  reasons: string[];
  /** What patterns found, where they stopped it. */
  found?: Pick<PatternVerdict, "score" | "reasons">;
};

/** Judges requests of the past in their order, counting them as they come. */
export type JudgeFact = (fact: Fact) => FactVerdict;

const passed: FactVerdict = { isStopped: false, reasons: [] };

/** Rules and switches, with counters of their own: what is tried counts nowhere else. Bans are not tried. */
export const createJudgeFact = (
  compiled: Compiled,
  { limit, kindOf }: { limit: ReturnType<NativeHost["coreLimit"]>; kindOf(fact: Fact): RouteKind },
): JudgeFact => {
  const counters = new Map<string, number[]>();
  const { switches, engine } = compiled;

  const take = (
    key: string,
    { at, windowMs, max }: { at: number; windowMs: number; max: number },
  ): boolean => {
    const recent = (counters.get(key) ?? []).filter((time) => at - time < windowMs);
    const isAllowed = recent.length < max;
    if (isAllowed) recent.push(at);
    counters.set(key, recent);
    return isAllowed;
  };

  const judgeCounts = (fact: Fact): FactVerdict => {
    const facts = {
      request: { ...fact, ip: fact.address },
      kind: kindOf(fact),
      caller: { role: fact.role, id: fact.userId },
    };
    const counted = countersOf(compiled, facts, {
      limit: switches.rateLimitingEnabled ? limit : null,
      wants: () => true,
    });
    for (const { key, windowMs, max, rule } of counted) {
      if (take(key, { at: fact.at, windowMs, max }) || rule?.action === "log") continue;
      return { isStopped: true, reasons: [`More than ${max} requests in ${Math.ceil(windowMs / 1_000)} s`] };
    }
    return passed;
  };

  const judgeText = (fact: Fact): FactVerdict => {
    if (engine === null || fact.role === "admin" || compiled.isExempt(fact.method, fact.path)) return passed;
    const found = judgeHead(engine, requestOf(fact), switches.threshold);
    return found.isAttack
      ? { isStopped: true, reasons: found.reasons.map(({ text }) => text), found }
      : passed;
  };

  return (fact) => {
    if (!switches.masterSwitchEnabled) return passed;
    const { reason } = judgeAddress(compiled, {
      ip: fact.address,
      country: () => fact.country,
      banOf: () => null,
    });
    if (reason !== null && !switches.developmentModeEnabled)
      return { isStopped: true, reasons: [reason.text] };
    const counts = judgeCounts(fact);
    if (counts.isStopped || switches.developmentModeEnabled) return counts;
    return judgeText(fact);
  };
};

/** The request as far as it is known. */
const requestOf = (fact: Fact): ArrivingRequest => ({
  ...fact,
  headers: headersOf(fact),
  ip: fact.address,
});

const headersOf = ({ userAgent, referer }: Fact): Headers => {
  const headers = new Headers();
  for (const [name, value] of [
    ["user-agent", userAgent],
    ["referer", referer],
  ] as const) {
    // What is no header's text was cut off or decoded on its way here.
    if (value !== "" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) headers.set(name, value);
  }
  return headers;
};

/**
 * What would be in force with a draft: unless it says so itself, with the master switch on and development mode off, since
 * that is what somebody wants to know before. Throws `Refused` with what is at fault.
 */
export const draftState = ({ rules, switches }: State, draft: ReplayDraft, making: Making): State => {
  const entries = (draft.addAddresses ?? []).map((input) => newAddress(input, making));
  const ranges = new Set(entries.map(({ range }) => range));
  const kept = rules.addresses.filter(({ range }) => !ranges.has(range));
  const addressed: Rules = { ...rules, addresses: [...kept, ...entries] };
  const rated = (draft.addRates ?? []).reduce<Rules>(
    (sum, input) => putRate(sum, rateFrom(input)),
    addressed,
  );
  const exempted = (draft.addExemptions ?? []).reduce<Rules>(
    (sum, input) => putExemption(sum, exemptionFrom(input)),
    rated,
  );
  return {
    rules: {
      ...exempted,
      countries: draft.countries ? countriesFrom(draft.countries, rules.countries) : rules.countries,
      switchedOff: draft.switchedOff ?? rules.switchedOff,
    },
    switches: { ...switches, masterSwitchEnabled: true, developmentModeEnabled: false, ...draft.switches },
  };
};

import type { Rules } from "../rules/rules.ts";
import type { Switches } from "../wire.ts";

/** Rules and switches together. */
export type State = { rules: Rules; switches: Switches };

/**
 * Whether a change can shut out somebody who got in before, admins among them: then it has to be confirmed. Patterns and
 * bans spare signed-in admins, but nobody is one before they have signed in.
 */
export const isRisky = (before: State, after: State, knowsCountries: boolean): boolean => {
  if (!after.switches.masterSwitchEnabled) return false;
  if (looksStricter(before, after) || bansMore(before, after)) return true;
  const threats = threatsIn(after, knowsCountries);
  if (threats.size === 0) return false;
  const known = before.switches.masterSwitchEnabled ? threatsIn(before, knowsCountries) : new Set<string>();
  const isNew = [...threats].some((threat) => !known.has(threat));
  return isNew || losesAllowed(before, after);
};

/** Bans refuse in development mode, too. */
const bansMore = (before: State, after: State): boolean =>
  after.switches.bansEnabled && !before.switches.bansEnabled;

/**
 * Whether patterns that stop requests look more closely than they were set to before. Switching them on together with the
 * firewall as they were set is not among it.
 */
const looksStricter = (before: State, after: State): boolean => {
  const [old, next] = [before.switches, after.switches];
  if (!next.patternsEnabled || next.developmentModeEnabled) return false;
  if (!old.patternsEnabled || next.paranoiaLevel > old.paranoiaLevel || next.threshold < old.threshold)
    return true;
  const off = new Set(after.rules.switchedOff);
  const exempt = new Set(after.rules.exemptions.map(exemptionKey));
  return (
    before.rules.switchedOff.some((id) => !off.has(id)) ||
    before.rules.exemptions.some((one) => !exempt.has(exemptionKey(one)))
  );
};

const exemptionKey = ({ method, path, fields, categories }: Rules["exemptions"][number]): string =>
  JSON.stringify([method, path, fields.toSorted(), categories.toSorted()]);

const threatsIn = ({ rules, switches }: State, knowsCountries: boolean): Set<string> => {
  const threats = new Set<string>();
  for (const rule of rules.rates)
    if (rule.isOn && rule.action !== "log") threats.add(`rate ${JSON.stringify(rule)}`);
  if (switches.developmentModeEnabled) return threats;
  for (const { kind, range } of rules.addresses) if (kind === "deny") threats.add(`deny ${range}`);
  const { mode, codes } = rules.countries;
  if (knowsCountries && mode !== "off") threats.add(`countries ${mode} ${codes.toSorted().join()}`);
  return threats;
};

/** Whether an address that was let in for certain is so no more, or not for as long. */
const losesAllowed = (before: State, after: State): boolean => {
  const kept = allowedIn(after);
  return [...allowedIn(before)].some(([range, endsAt]) => (kept.get(range) ?? 0) < endsAt);
};

/** Until when each range is let in, in milliseconds since 1970. */
const allowedIn = ({ rules }: State): ReadonlyMap<string, number> =>
  new Map(
    rules.addresses
      .filter(({ kind }) => kind === "allow")
      .map(({ range, expiresAt }) => [range, expiresAt === null ? Infinity : Date.parse(expiresAt)]),
  );

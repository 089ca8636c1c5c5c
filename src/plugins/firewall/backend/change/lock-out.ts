import type { NativeHost } from "#plugins/sdk/native-types.ts";
import type { Json, Kv } from "#plugins/sdk/types.ts";
import { judgeAddress } from "../inspect/judge.ts";
import { isInRange, readRange } from "../rules/range.ts";
import { exemptionKey, type Rules, type StoredAddress } from "../rules/rules.ts";
import { texts } from "../texts.ts";
import type { Switches } from "../wire.ts";
import { compile } from "./in-force.ts";

type AddressCheck = { host: Pick<NativeHost, "addressTest" | "countryOf">; now(): number };

/**
 * Why a change keeps out an address that got in before, in words behind "your address"; `null` when it does not. What lets
 * an address in for a time counts for nothing here: when that is over nobody is asked to confirm it.
 */
export const whyNewlyShutOut = (
  check: AddressCheck,
  before: State,
  after: State,
  ip: string,
): string | null => {
  const isOn = switchesOn(before, after);
  for (const view of [asItIs, onceExpired]) {
    const why = whyShutOut(check, view(after), ip);
    if (why === null || (!isOn && why === whyShutOut(check, view(before), ip))) continue;
    return view === asItIs ? why : texts.ownOnceExpired(why);
  }
  return null;
};

const asItIs = (state: State): State => state;

/** Entries that keep out stay: of those that decide at any moment to come, none is left out that way. */
const onceExpired = ({ rules, switches }: State): State => ({
  switches,
  rules: {
    ...rules,
    addresses: rules.addresses.filter(({ kind, expiresAt }) => kind === "deny" || expiresAt === null),
  },
});

const switchesOn = (before: State, after: State): boolean =>
  (after.switches.masterSwitchEnabled && !before.switches.masterSwitchEnabled) ||
  (!after.switches.developmentModeEnabled && before.switches.developmentModeEnabled);

const whyShutOut = ({ host, now }: AddressCheck, { rules, switches }: State, ip: string): string | null => {
  const about = { ...rules, addresses: entriesAbout(rules, ip) };
  const compiled = compile({ rules: about, switches, host, engine: null, now });
  const { reason } = judgeAddress(compiled, { ip, country: () => host.countryOf(ip), banOf: () => null });
  if (reason === null) return null;
  if (reason.by === "country") return texts.ownCountry(reason.rule);
  const range = compiled.entryAt(ip)?.range ?? ip;
  return texts.ownDenied(range, readRange(ip)?.text === range);
};

/** Of thousands of entries only these few have to be prepared. */
const entriesAbout = ({ addresses }: Rules, ip: string): StoredAddress[] => {
  const own = readRange(ip);
  if (own === null) return addresses;
  return addresses.filter(({ range }) => {
    const other = readRange(range);
    return (
      other !== null && other.family === own.family && other.first <= own.first && own.last <= other.last
    );
  });
};

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

/** Ranges of new entries that keep out whoever adds them, and why in words behind "your address". */
export type OwnRanges = { ranges: ReadonlySet<string>; why: string };

/** Which entries of `rules` that are new would keep out an address that got in before; `null` when none does. */
export const ownRangesIn = (
  check: AddressCheck,
  before: State,
  rules: Rules,
  ip: string | null,
): OwnRanges | null => {
  const why = ip === null ? null : whyNewlyShutOut(check, before, { ...before, rules }, ip);
  if (ip === null || why === null) return null;
  const known = new Set(before.rules.addresses.map(({ id }) => id));
  const added = rules.addresses.filter(({ id, kind, range }) => {
    const read = kind === "deny" && !known.has(id) ? readRange(range) : null;
    return read !== null && isInRange(ip, read);
  });
  return { ranges: new Set(added.map(({ range }) => range)), why };
};

/** Where signed-in admins came from within the last day, on all replicas. */
export type AdminsSeen = ReturnType<typeof createAdminsSeen>;

const key = "admins-seen";
const keptMs = 24 * 60 * 60 * 1_000;
// An address that goes on being used need not be stored each time.
const freshMs = 60 * 60 * 1_000;
const most = 50;

/** Nobody was seen yet. */
export const createAdminsSeen = (kv: Pick<Kv, "get" | "set">, now: () => number) => {
  const seen = new Map<string, number>();
  let hasNews = false;

  const merge = async (): Promise<void> => {
    for (const [ip, at] of Object.entries(Object(await kv.get(key))))
      if (typeof at === "number") seen.set(ip, Math.max(at, seen.get(ip) ?? 0));
    const latest = [...seen]
      .filter(([, at]) => now() - at < keptMs)
      .sort(([, one], [, other]) => other - one)
      .slice(0, most);
    seen.clear();
    for (const [ip, at] of latest) seen.set(ip, at);
  };

  return {
    note: (ip: string) => {
      const before = seen.get(ip);
      if (before !== undefined && now() - before < freshMs) return;
      seen.set(ip, now());
      hasNews = true;
    },
    /** Those of other replicas among them, where they can be read. */
    addresses: async (): Promise<string[]> => {
      await merge().catch(() => {});
      return [...seen].filter(([, at]) => now() - at < keptMs).map(([ip]) => ip);
    },
    /** Stores what is new. Throws what the store throws. */
    save: async () => {
      if (!hasNews) return;
      await merge();
      await kv.set(key, Object.fromEntries(seen) satisfies Json);
      hasNews = false;
    },
  };
};

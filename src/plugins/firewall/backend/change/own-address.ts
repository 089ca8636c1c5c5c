import type { NativeHost } from "#plugins/sdk/native-types.ts";
import { compile } from "../inspect/compiled.ts";
import { judgeAddress } from "../inspect/judge-address.ts";
import { readRange } from "../rules/range.ts";
import type { Rules, StoredAddress } from "../rules/rules.ts";
import { texts } from "../texts.ts";
import type { State } from "./exposure.ts";

export type AddressCheck = { host: Pick<NativeHost, "addressTest" | "countryOf">; now(): number };

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

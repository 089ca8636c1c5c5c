import type { State } from "../change/exposure.ts";
import { type AddressCheck, whyNewlyShutOut } from "../change/own-address.ts";
import { isInRange, readRange } from "../rules/range.ts";
import type { Rules } from "../rules/rules.ts";

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

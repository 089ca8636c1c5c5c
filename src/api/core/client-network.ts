import type { AttemptBudget } from "./context.ts";

/**
 * What counts as one client for a limit: an IPv4 address, or the /64 network of a compressed IPv6 address, of which
 * one subscriber usually has 2^64.
 */
export const networkOf = (address: string): string =>
  address.includes(":") ? `${groupsOf(address).slice(0, 4).join(":")}::/64` : address;

/** How many times the budget of one client a /48 has: few subscribers share one, but a network operator may split it. */
export const siteTimes = 10;

/**
 * The /48 network of a compressed IPv6 address: one subscriber may have all of its 65,536 /64. `null` for IPv4, whose
 * addresses cost money.
 */
export const siteOf = (address: string): string | null =>
  address.includes(":") ? `${groupsOf(address).slice(0, 3).join(":")}::/48` : null;

/** A budget for the network of an address, appended to the budget's key, and a wider one for its IPv6 site. */
export const placeBudgets = (address: string, budget: AttemptBudget): AttemptBudget[] => {
  const site = siteOf(address);
  const own = { ...budget, key: `${budget.key}${networkOf(address)}` };
  if (site === null) return [own];
  return [own, { ...budget, key: `${budget.key}${site}`, most: budget.most * siteTimes }];
};

const groupsOf = (address: string): string[] => {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right];
};

/** An IP address shortened for emails to strangers: the first two numbers of IPv4, the /48 network of IPv6. */
export const roughNetworkOf = (address: string): string =>
  siteOf(address) ?? address.replace(/^(\d+\.\d+)\.\d+\.\d+$/, "$1.x.x");

import type { AttemptBudget, Context } from "./context.ts";

/** When, from where and with what something was done, as shown in an email. */
export type Circumstances = { at: Date; ip: string; device: string };

/** The circumstances of the call that is being answered. */
export const circumstancesOf = (ctx: Context): Circumstances => ({
  ip: ctx.ip,
  device: describeDevice(ctx.userAgent),
  at: ctx.clock.now(),
});

// In this order: most browsers also name the browsers that they are compatible with.
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|OPiOS|Opera)\//, "Opera"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|HeadlessChrome|Chromium|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

// Android calls itself Linux too, and an iPhone says that it is like Mac OS X.
const systems: [RegExp, string][] = [
  [/\b(iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\b(Macintosh|Mac OS X)\b/, "macOS"],
  [/\b(Linux|X11|CrOS)\b/, "Linux"],
];

/**
 * A browser in words of this list alone, such as `Firefox on Linux`; `Unknown device` when nothing is recognized. It
 * never contains what the browser sent.
 */
export const describeDevice = (userAgent: string | null): string => {
  const browser = firstIn(browsers, userAgent ?? "");
  const system = firstIn(systems, userAgent ?? "");
  if (browser === null) return system === null ? "Unknown device" : `Unknown browser on ${system}`;
  return system === null ? browser : `${browser} on ${system}`;
};

const firstIn = (known: [RegExp, string][], userAgent: string): string | null =>
  known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;

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

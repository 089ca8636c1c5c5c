import type { Context } from "./context.ts";

/** When, from where and with what something was done, as shown in an email. */
export type Circumstances = { at: Date; ip: string; device: string };

/** The circumstances of the call that is being answered. */
export const circumstancesOf = (ctx: Context): Circumstances => ({
  at: ctx.clock.now(),
  ip: ctx.ip,
  device: describeDevice(ctx.userAgent),
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

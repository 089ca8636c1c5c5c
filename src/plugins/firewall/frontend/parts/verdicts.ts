import type { Verdict } from "../../backend/wire.ts";

/** What can become of a request, the gravest first. */
export const verdicts = [
  "blocked",
  "limited",
  "would-block",
  "noticed",
  "passed",
] as const satisfies Verdict[];

/** A verdict that stands in an address; `null` for none, and for what is none. */
export const readVerdict = (text: string | null): Verdict | null =>
  verdicts.find((verdict) => verdict === text) ?? null;

import type { PerformanceSettings } from "../read-settings.ts";
import { addVary } from "./add-vary.ts";
import type { SharedKind } from "./answer-kind.ts";

type Lifetimes = Pick<PerformanceSettings, "pageSeconds" | "pageStaleSeconds" | "callSeconds">;

/**
 * Lets browsers keep a shared answer for a while. Whoever signs in gets another answer all the same: it depends on cookies
 * and credentials, and says so. What says more than "ask each time" of itself keeps its word.
 */
export const lengthenLife = (headers: Headers, kind: SharedKind, lifetimes: Lifetimes): void => {
  const said = headers.get("cache-control") ?? "";
  if (/\bmax-age=[1-9]/i.test(said)) return;
  const { pageSeconds, pageStaleSeconds, callSeconds } = lifetimes;
  const [seconds, staleSeconds] =
    kind === "page" ? [pageSeconds, pageStaleSeconds] : [callSeconds, callSeconds];
  if (seconds === 0) return;
  headers.set("cache-control", `public, max-age=${seconds}, stale-while-revalidate=${staleSeconds}`);
  addVary(headers, "cookie", "authorization");
};

import { relativeTime } from "./relative-time.ts";
import { providerNames } from "./users.ts";

/** What opens an account beside its password: an identity at a provider, or an API token that its owner made. */
export const wayInKinds = [...providerNames, "token"] as const;
export type WayInKind = (typeof wayInKinds)[number];

/**
 * A way into an account; `label` is the provider's, or the token's name. `since` is ISO 8601 in UTC, `null` where nobody
 * knows. `isNewer`: added since the owner last followed a mailed link, which a password reset removes unless told otherwise.
 */
export type WayIn = { id: string; kind: WayInKind; label: string; since: string | null; isNewer: boolean };

/** A way into an account that was removed. */
export type RemovedWay = Omit<WayIn, "isNewer">;

/** What a way into an account is called. */
export const wayInName = ({ kind, label }: RemovedWay): string =>
  kind === "token" ? `API token ${label}` : label;

/** Since when a way into an account has been there, such as "connected 3 days ago"; `null` where nobody knows. */
export const wayInAge = ({ kind, since }: RemovedWay, nowMs: number): string | null =>
  since && `${kind === "token" ? "created" : "connected"} ${relativeTime(since, nowMs, "en")}`;

/** What was removed, in one sentence: "Removed: Google (connected 3 days ago)." */
export const removedSentence = (ways: readonly RemovedWay[], nowMs: number): string => {
  const words = ways.map((way) => {
    const age = wayInAge(way, nowMs);
    return age === null ? wayInName(way) : `${wayInName(way)} (${age})`;
  });
  return `Removed: ${words.join(", ")}.`;
};

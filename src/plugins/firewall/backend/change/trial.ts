import type { StoredPending } from "./pending-store.ts";

/** So long a change waits to be confirmed. */
export const confirmMs = 90_000;
/** Changes that join it wait no longer than this since the first. */
const mostConfirmMs = 180_000;
const mostNamed = 5;

type Named = Pick<StoredPending, "whats" | "more">;
type Timed = Pick<StoredPending, "deadline" | "since">;

/** One more change that goes back together with those that wait. */
export const alsoNamed = ({ whats, more }: Named, what: string): Named =>
  whats.length < mostNamed ? { whats: [...whats, what], more } : { whats, more: more + 1 };

/** All that goes back together, in a sentence. */
export const whatOf = ({ whats, more }: Named): string =>
  [...whats, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");

/** Until when it waits, once a risky change is made at `nowMs`; a deadline never comes nearer. */
export const extended = (waiting: Timed | null, nowMs: number): Timed => {
  if (waiting === null) return { since: nowMs, deadline: nowMs + confirmMs };
  const { since, deadline } = waiting;
  return { since, deadline: Math.max(deadline, Math.min(nowMs + confirmMs, since + mostConfirmMs)) };
};

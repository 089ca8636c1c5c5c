import { useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";
import type { CurrentSession } from "#api/modules/account/contract.ts";
import { api, onEnrolmentRequired } from "./api.ts";
import type { SignOutReason } from "./page-token.ts";

/** What is known of the reader's session, in this device's time. */
export type SessionState = {
  askedMs: number;
  /** When it ends if it isn't used again, and in any case. */
  idleEndsMs: number;
  endsMs: number;
  /** Until when a confirmation counts; `null` without one. */
  confirmedUntilMs: number | null;
  /** By when a required second factor must be set up, and whether that is over; `null` when none has to be. */
  factorRequired: { byMs: number; isOverdue: boolean } | null;
};

/** The element of the header in which the sign of a confirmation is. */
export const shieldId = "shield";

/** The element of the account page where a second factor is set up. */
export const factorCardId = "two-factor";

const store = createStore<{ known: SessionState | null }>(() => ({ known: null }));

/** What the server last said of the session; `null` before that, and for visitors. */
export const useSessionState = (): SessionState | null =>
  useSyncExternalStore(
    store.subscribe,
    () => store.getState().known,
    () => null,
  );

/** Asks the server about the session, which counts as a use of it while the reader is at the page. Throws as `api` does. */
export const askSession = async (): Promise<void> => {
  const { data } = await api.get<{ data: CurrentSession }>("/api/account/session");
  const askedMs = Date.now();
  // The two clocks may differ by any amount.
  const here = (iso: string) => askedMs + Date.parse(iso) - Date.parse(data.now);
  const { confirmedUntil, factorRequiredBy: requiredBy } = data;
  store.setState({
    known: {
      askedMs,
      idleEndsMs: here(data.idleEndsAt),
      endsMs: here(data.endsAt),
      confirmedUntilMs: confirmedUntil === null ? null : here(confirmedUntil),
      factorRequired:
        requiredBy === null ? null : { byMs: here(requiredBy), isOverdue: here(requiredBy) <= askedMs },
    },
  });
};

// Whatever is wrong with the session, the requests of the page tell it, too.
const inVain = () => {};

/** Asks the server about the session, where something may have changed. Never throws. */
export const askSessionAgain = (): void => void askSession().catch(inVain);

/** Notes whether the reader has to set up a second factor, as another request has told. */
export const noteFactorRequired = (isRequired: boolean): void => {
  const { known } = store.getState();
  if (isRequired !== ((known?.factorRequired ?? null) !== null)) askSessionAgain();
};

onEnrolmentRequired(askSessionAgain);

/** Forgets a session that is over, or another user's. */
export const forgetSessionState = (): void => store.setState({ known: null });

// The answer that told the end was on its way for some of that time.
const toleranceMs = 2_000;

/** Why a session that has just ended did, as far as this page can tell. */
export const signOutReason = (nowMs: number = Date.now()): SignOutReason => {
  const { known } = store.getState();
  if (known === null || nowMs < known.idleEndsMs - toleranceMs) return "ended";
  return known.idleEndsMs < known.endsMs ? "idle" : "limit";
};

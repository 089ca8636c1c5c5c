import { useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";
import type { CurrentSession } from "#api/modules/account/contract.ts";
import type { CurrentUser } from "#api/modules/auth/contract.ts";
import type { User } from "#contract/users.ts";
import { ApiError, api, onEnrolmentRequired, onSignedOut } from "./api.ts";
import type { SignOutReason } from "./page-token.ts";

const name = "atrium-session";
const signedOut = "signed-out";

// Old browsers have none, and some close it to private windows: each tab then finds out by asking the server.
const openChannel = (): BroadcastChannel | null => {
  try {
    return typeof document === "undefined" ? null : new BroadcastChannel(name);
  } catch {
    return null;
  }
};

const channel = openChannel();

/** Tells this browser's other tabs that no one is signed in any more. */
const tellSignedOut = (): void => channel?.postMessage(signedOut);

/** Calls `listener` when another tab has signed out. */
const onSignedOutElsewhere = (listener: () => void): void =>
  channel?.addEventListener("message", ({ data }) => data === signedOut && listener());

/** Who is signed in. `loading` lasts until the first check has finished; pages from the server bring the answer. */
export type Session = { user: User | null; status: "loading" | "ready" };

/** The element with the server's answer to "who is signed in". */
const sessionElementId = "atrium-session";

type PageAnswer = { user: User | null; isCertain?: false };

const isBrowser = () => typeof document !== "undefined";

const readPage = (): PageAnswer | null => {
  const text = isBrowser() ? document.getElementById(sessionElementId)?.textContent : null;
  return text ? JSON.parse(text) : null;
};

const given = readPage();
const store = createStore<Session>(() =>
  given === null ? { user: null, status: "loading" } : { user: given.user, status: "ready" },
);
// Markup made ahead of time is taken over in the state that it was made for, whatever has become known since.
const asRendered = () => (isBrowser() ? store.getInitialState() : store.getState());
let checking: Promise<void> | undefined;

/**
 * Who is signed in, kept up to date. In prerendered pages only `user !== null` is meaningful:
 * name, address and role may be shown once `useHydrated()` is true.
 */
export const useSession = (): Session => useSyncExternalStore(store.subscribe, store.getState, asRendered);

// A member who comes back to the tab is asked about at most that often; a visitor may have signed in elsewhere just now.
const memberCheckMs = 15_000;
let memberCheckedAtMs = Number.NEGATIVE_INFINITY;

/** Looks at the session again, because the reader has come back to this tab: it may have begun or ended elsewhere. */
export const checkSessionAgain = (nowMs: number = Date.now()): void => {
  if (store.getState().user !== null) {
    if (nowMs - memberCheckedAtMs < memberCheckMs) return;
    memberCheckedAtMs = nowMs;
  }
  void refreshSession();
};

/** The session at this moment, for code outside components. */
export const currentSession = (): Session => store.getState();

/** Whether the page came with a certain answer; without one the server has to be asked. */
export const isSessionGiven = (): boolean => given !== null && given.isCertain !== false;

/** Records who is signed in, `null` for no one. */
export const setUser = (user: User | null): void => store.setState({ user, status: "ready" });

/** Records that the user has signed out, here and in the browser's other tabs. */
export const forgetUser = (): void => {
  setUser(null);
  tellSignedOut();
};

/** Puts the session in a state as a whole; for rendering ahead of time and for tests. */
export const resetSession = (session: Session): void => store.setState(session, true);

// The first check is repeated while the server has no answer to give: a start or a database's hiccup is no sign-out.
const firstCheckWaitsMs = [400, 1_600];

/**
 * Asks the server who is signed in. Never throws: 401 and 403 leave no one, and whatever else is no answer, such as 429,
 * leaves what was known. At the start that is no one; a server that is not well is asked again after each of `waitsMs`.
 */
export const refreshSession = (waitsMs: readonly number[] = firstCheckWaitsMs): Promise<void> => {
  checking ??= check(waitsMs).finally(() => {
    checking = undefined;
  });
  return checking;
};

const check = async ([waitMs, ...later]: readonly number[]): Promise<void> => {
  try {
    const user = await api.get<CurrentUser>("/api/auth/user");
    const { user: known, status } = store.getState();
    // The same answer as before leaves the store as it is: what waits for a change of reader is not woken.
    if (status === "loading" || JSON.stringify(user) !== JSON.stringify(known)) setUser(user);
  } catch (error) {
    const status = error instanceof ApiError ? error.status : 0;
    const isNobody = status === 401 || status === 403;
    const isRefusal = status >= 400 && status < 500;
    if (!isRefusal && waitMs !== undefined && store.getState().status === "loading") {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      return check(later);
    }
    store.setState((session) => ({ user: isNobody ? null : session.user, status: "ready" }));
  }
};

/**
 * Ends the session at the server, then calls `beforeClearing` (a place to leave a guarded page) and forgets the user.
 * Throws {@link ApiError} when the server did not agree; the user is kept then.
 */
export const logout = async (beforeClearing?: () => void): Promise<void> => {
  await api.post("/api/auth/logout");
  beforeClearing?.();
  forgetUser();
};

const leave = () => {
  if (store.getState().user !== null) setUser(null);
};

onSignedOut(leave);
onSignedOutElsewhere(leave);

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

const stateStore = createStore<{ known: SessionState | null }>(() => ({ known: null }));

/** What the server last said of the session; `null` before that, and for visitors. */
export const useSessionState = (): SessionState | null =>
  useSyncExternalStore(
    stateStore.subscribe,
    () => stateStore.getState().known,
    () => null,
  );

/** Asks the server about the session, which counts as a use of it while the reader is at the page. Throws as `api` does. */
export const askSession = async (): Promise<void> => {
  const { data } = await api.get<{ data: CurrentSession }>("/api/account/session");
  const askedMs = Date.now();
  // The two clocks may differ by any amount.
  const here = (iso: string) => askedMs + Date.parse(iso) - Date.parse(data.now);
  const { confirmedUntil, factorRequiredBy: requiredBy } = data;
  stateStore.setState({
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
  const { known } = stateStore.getState();
  if (isRequired !== ((known?.factorRequired ?? null) !== null)) askSessionAgain();
};

onEnrolmentRequired(askSessionAgain);

/** Forgets a session that is over, or another user's. */
export const forgetSessionState = (): void => stateStore.setState({ known: null });

// The answer that told the end was on its way for some of that time.
const toleranceMs = 2_000;

/** Why a session that has just ended did, as far as this page can tell. */
export const signOutReason = (nowMs: number = Date.now()): SignOutReason => {
  const { known } = stateStore.getState();
  if (known === null || nowMs < known.idleEndsMs - toleranceMs) return "ended";
  return known.idleEndsMs < known.endsMs ? "idle" : "limit";
};

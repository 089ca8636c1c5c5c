import { useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";

const firstProbeMs = 1_000;
const slowestProbeMs = 15_000;
const probeTimeoutMs = 5_000;

// A call that fails again and again while the server is well is no reason to load everything again and again.
const hiccupMs = 30_000;

type Connection = { isAway: boolean };

const store = createStore<Connection>(() => ({ isAway: false }));
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let isChecking = false;
let hiccupAt = Number.NEGATIVE_INFINITY;

/** Whether the server is out of reach at the moment. */
export const useConnection = (): Connection =>
  useSyncExternalStore(store.subscribe, store.getState, store.getInitialState);

/** {@link useConnection}, for code outside components. */
export const isServerAway = (): boolean => store.getState().isAway;

/** The server's health is bad: says so, and asks for it until it is good again. */
export const reportUnreachable = (): void => {
  if (store.getState().isAway) return;
  store.setState({ isAway: true });
  schedule(firstProbeMs);
};

/** Calls `listener` when what failed for want of an answer is worth another try; returns how to stop. */
export const onReachableAgain = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The server's health is good: whatever was wrong is over. */
export const reportReachable = (): void => {
  if (!store.getState().isAway) return;
  clearTimeout(timer);
  store.setState({ isAway: false });
  tellReachable();
};

/**
 * A call got no answer. Its health tells whether the server is away: while other calls are answered it is not, and what
 * failed is tried again, as after a hiccup, but not time after time.
 */
export const reportNoAnswer = (): void => {
  if (!store.getState().isAway) void alone(check);
};

/** A call was answered. One call says nothing of the others, so health is asked for whether a server that was away is back. */
export const reportAnswer = (): void => {
  if (store.getState().isAway) void alone(probe);
};

/** Asks for the server's health now, and continues asking at growing distances (15 s at most) while it is away. */
export const probe = async (nextMs: number = firstProbeMs): Promise<void> => {
  clearTimeout(timer);
  if (await isServerHealthy()) reportReachable();
  else schedule(Math.min(nextMs * 2, slowestProbeMs));
};

/** Many calls fail, or are answered, at the same time: one look at the server's health is enough for all. */
const alone = async (look: () => Promise<void>): Promise<void> => {
  if (isChecking) return;
  isChecking = true;
  try {
    await look();
  } finally {
    isChecking = false;
  }
};

const check = async (): Promise<void> => {
  if (!(await isServerHealthy())) return reportUnreachable();
  const now = performance.now();
  if (now - hiccupAt < hiccupMs) return;
  hiccupAt = now;
  tellReachable();
};

const tellReachable = (): void => {
  for (const listener of listeners) listener();
};

const schedule = (waitMs: number): void => {
  clearTimeout(timer);
  timer = setTimeout(() => void probe(waitMs), waitMs);
};

/** Asks once whether the server answers and is well. Never throws. */
export const isServerHealthy = async (): Promise<boolean> => {
  try {
    const answer = await fetch("/api/health", {
      cache: "no-store",
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    return answer.ok;
  } catch {
    // No answer within 5 s, or none at all, is an answer too.
    return false;
  }
};

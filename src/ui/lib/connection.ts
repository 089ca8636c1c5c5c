import { useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";

const firstProbeMs = 1_000;
const slowestProbeMs = 15_000;
const probeTimeoutMs = 5_000;

type Connection = { isAway: boolean };

const store = createStore<Connection>(() => ({ isAway: false }));
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the server is out of reach at the moment. */
export const useConnection = (): Connection =>
  useSyncExternalStore(store.subscribe, store.getState, store.getInitialState);

/** {@link useConnection}, for code outside components. */
export const isServerAway = (): boolean => store.getState().isAway;

/** A call got no answer: says so, and asks for the server's health until it answers again. */
export const reportUnreachable = (): void => {
  if (store.getState().isAway) return;
  store.setState({ isAway: true });
  schedule(firstProbeMs);
};

/** Calls `listener` when the server answers again after it was away; returns how to stop. */
export const onReachableAgain = (listener: () => void): (() => void) =>
  store.subscribe((now, before) => {
    if (before.isAway && !now.isAway) listener();
  });

/** A call was answered: whatever was wrong is over. */
export const reportReachable = (): void => {
  if (!store.getState().isAway) return;
  clearTimeout(timer);
  store.setState({ isAway: false });
};

/** Asks for the server's health now, and goes on asking at growing distances (15 s at most) while it is away. */
export const probe = async (nextMs: number = firstProbeMs): Promise<void> => {
  clearTimeout(timer);
  if (await isServerHealthy()) reportReachable();
  else schedule(Math.min(nextMs * 2, slowestProbeMs));
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

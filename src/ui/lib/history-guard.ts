type Guard = (event: PopStateEvent) => void;

let guard: Guard | null = null;

/**
 * Lets a page hold back steps through the history. To be called before the router listens: windows call their listeners in
 * the order in which they came, and the one that stops an event must be the first.
 */
export const watchHistory = (): void =>
  window.addEventListener("popstate", (event) => guard?.(event), { capture: true });

/** Calls `next` with each step back or forward before anyone else hears of it; returns the way to stop. */
export const holdHistory = (next: Guard): (() => void) => {
  guard = next;
  return () => {
    if (guard === next) guard = null;
  };
};

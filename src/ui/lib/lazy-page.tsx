import { type ComponentType, type ReactNode, useEffect, useSyncExternalStore } from "react";
import { timers } from "#contract/limits.ts";
import { PageFailure } from "#ui/components/boundary.tsx";
import { isServerHealthy, reportUnreachable } from "./connection.ts";

type State =
  | { step: "idle" | "loading" }
  | { step: "loaded"; component: ComponentType }
  | { step: "failed"; error: unknown };

/** A page whose code comes when it is wanted. `load` may be called early and often; it never throws. */
export type LazyPage = {
  load(): Promise<void>;
  /** How far it is; the same object until that changes. */
  read(): State;
  subscribe(listener: () => void): () => void;
};

/**
 * Wraps a dynamic import of a page. Code that has not come after 120 s, or cannot be had, leaves it failed until `load`
 * is called again.
 */
export const lazyPage = (
  importPage: () => Promise<ComponentType>,
  timeoutMs: number = timers.chunkTimeoutMs,
): LazyPage => {
  const listeners = new Set<() => void>();
  let state: State = { step: "idle" };
  let loading: Promise<void> | undefined;

  const settle = (next: State) => {
    state = next;
    for (const listener of listeners) listener();
  };

  const load = (): Promise<void> => {
    if (state.step === "loaded") return Promise.resolve();
    if (loading !== undefined) return loading;
    settle({ step: "loading" });
    loading = within(importPage, timeoutMs)
      .then((component) => settle({ step: "loaded", component }))
      .catch((error: unknown) => settle({ step: "failed", error }))
      .finally(() => {
        loading = undefined;
      });
    return loading;
  };

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return { load, read: () => state, subscribe };
};

/** Where a lazy page stands: `fallback` until it is there, and an offer to try again where it could not be had. */
export const PageSlot = ({ page, fallback }: { page: LazyPage; fallback: ReactNode }) => {
  const state = useSyncExternalStore(page.subscribe, page.read, page.read);
  useEffect(() => void page.load(), [page]);
  if (state.step === "loaded") return <state.component />;
  if (state.step === "failed") return <PageFailure onRetry={() => void tryAgain(page)} />;
  return fallback;
};

// After an update the server's files have other names, and some browsers remember an import that failed: where the server
// answers and the code still cannot be had, the document is loaded again.
const tryAgain = async (page: LazyPage) => {
  await page.load();
  if (page.read().step !== "failed") return;
  if (await isServerHealthy()) window.location.reload();
  else reportUnreachable();
};

const within = async <T,>(work: () => Promise<T>, timeoutMs: number): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the page's code did not arrive in ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work(), deadline]);
  } finally {
    clearTimeout(timer);
  }
};

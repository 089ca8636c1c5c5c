import { useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";
import type { ProviderName } from "#contract/users.ts";
import { client } from "#ui/lib/client.ts";

/** Which providers people can sign in with; `failed` when the server has not said. */
export type Providers =
  | { step: "unknown" }
  | { step: "failed" }
  | { step: "known"; isConfigured: Record<ProviderName, boolean> };

const store = createStore<Providers>(() => ({ step: "unknown" }));
let asking: Promise<void> | undefined;

/** What is known of the providers so far; nothing is in markup made ahead of time. */
export const useProviders = (): Providers =>
  useSyncExternalStore(store.subscribe, store.getState, store.getInitialState);

/** Asks the server once for all pages, and again only after a failure. Never throws. */
export const askProviders = (): Promise<void> => {
  if (store.getState().step === "known") return Promise.resolve();
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
};

/** Forgets what the server has said; for tests. */
export const resetProviders = (): void => store.setState(store.getInitialState(), true);

const ask = async (): Promise<void> => {
  try {
    store.setState({ step: "known", isConfigured: (await client.auth.providers()).data }, true);
  } catch {
    // The buttons stay disabled and say so; a password works all the same.
    store.setState({ step: "failed" }, true);
  }
};

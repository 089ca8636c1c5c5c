import { useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";

const store = createStore<{ isOpen: boolean }>(() => ({ isOpen: false }));

/** Opens or closes the question "Confirm Logout". */
export const askLogout = (isOpen = true): void => store.setState({ isOpen });

/** Whether the question is on the screen. */
export const useLogoutQuestion = (): boolean =>
  useSyncExternalStore(
    store.subscribe,
    () => store.getState().isOpen,
    () => false,
  );

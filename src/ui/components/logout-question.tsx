import { lazy, Suspense, useSyncExternalStore } from "react";
import { createStore } from "zustand/vanilla";

const LogoutDialog = lazy(async () => ({ default: (await import("./logout-dialog.tsx")).LogoutDialog }));

/** The place of the question "Confirm Logout", whose code comes when it is first asked. */
export const LogoutHost = () => {
  const isOpen = useLogoutQuestion();
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <LogoutDialog open onOpenChange={askLogout} />
    </Suspense>
  );
};

const store = createStore<{ isOpen: boolean }>(() => ({ isOpen: false }));

/** Opens or closes the question "Confirm Logout". */
export const askLogout = (isOpen = true): void => store.setState({ isOpen });

/** Whether the question is on the screen. */
const useLogoutQuestion = (): boolean =>
  useSyncExternalStore(
    store.subscribe,
    () => store.getState().isOpen,
    () => false,
  );

import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False while rendering ahead of time and while taking over such markup, true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { onReachableAgain } from "#ui/lib/connection.ts";

/** What a load has brought so far: the last data stays while newer is on its way and when a later load fails. */
export type Loaded<T> = {
  data: T | null;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
};

/**
 * Loads when mounted, whenever `load` is another function (memoize it), every `everyMs` while the page is in sight and
 * nothing is on its way, when the server answers again after it was away, and on `reload()`. An answer that a newer call
 * has overtaken is dropped.
 */
export const useLoad = <T>(load: () => Promise<T>, everyMs?: number): Loaded<T> => {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({ data: null, error: null, isLoading: true });
  const newest = useRef(0);
  const isUnderway = useRef(false);

  const reload = useCallback(async () => {
    newest.current += 1;
    const call = newest.current;
    isUnderway.current = true;
    setState((known) => ({ ...known, isLoading: true }));
    try {
      const data = await load();
      if (call === newest.current) setState({ data, error: null, isLoading: false });
    } catch (error) {
      if (call === newest.current) setState(({ data }) => ({ data, error, isLoading: false }));
    }
    if (call === newest.current) isUnderway.current = false;
  }, [load]);

  useEffect(() => void reload(), [reload]);

  useEffect(() => onReachableAgain(() => void reload()), [reload]);

  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => {
      // Answers that take longer than `everyMs` would all be overtaken, and never be shown.
      if (document.visibilityState === "visible" && !isUnderway.current) void reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [reload, everyMs]);

  return { ...state, reload: () => void reload() };
};

const never = () => () => {};

/** False while rendering ahead of time and while taking over such markup, true from then on. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

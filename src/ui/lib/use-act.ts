import { useEffect, useRef, useState } from "react";

/** State of something that a button does: whether it is under way, and how the last try failed (`null` if it did not). */
export const useAct = (work: () => Promise<void>) => {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  const isRunning = useRef(false);
  const run = async () => {
    // A second press while the first is under way is the same wish.
    if (isRunning.current) return;
    isRunning.current = true;
    setState({ isBusy: true, error: null });
    try {
      await work();
      setState({ isBusy: false, error: null });
    } catch (error) {
      setState({ isBusy: false, error });
    } finally {
      isRunning.current = false;
    }
  };
  return { ...state, act: () => void run() };
};

/** Element that holds the page's content: where reading starts after each change of page. */
export const contentId = "content";

/** On each change of page: its title, the scroll position at the top, open drawers closed, reading from the content on. */
export const useRouteChange = (path: string, title: string): void => {
  const shown = useRef<string | null>(null);
  // Apart from the path: a page whose title depends on its content keeps that from place to place.
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    const isFirst = shown.current === null;
    if (isFirst || shown.current === path) {
      shown.current = path;
      return;
    }
    shown.current = path;
    for (const drawer of document.querySelectorAll<HTMLDialogElement>("dialog[data-drawer]")) drawer.close();
    const canonical = document.querySelector<HTMLLinkElement>("link[rel=canonical]");
    // Browsers share this address instead of the one in their bar.
    if (canonical) canonical.href = new URL(path, canonical.href).href;
    window.scrollTo({ top: 0, behavior: "instant" });
    document.getElementById(contentId)?.focus({ preventScroll: true });
  }, [path]);
};

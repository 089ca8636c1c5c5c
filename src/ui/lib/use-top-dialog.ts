import { useSyncExternalStore } from "react";

/** The modal dialog above all else, or `null`. Looked for only while `isWanted`; `null` otherwise. */
export const useTopDialog = (isWanted: boolean): HTMLDialogElement | null =>
  useSyncExternalStore(isWanted ? watch : never, isWanted ? topDialog : none, none);

const topDialog = (): HTMLDialogElement | null =>
  [...document.querySelectorAll<HTMLDialogElement>("dialog:modal")].at(-1) ?? null;

const watch = (onChange: () => void) => {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["open"] });
  return () => observer.disconnect();
};

const never = () => () => {};
const none = () => null;

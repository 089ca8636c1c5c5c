import { useEffect, useRef } from "react";

/** Has Ctrl-S and Cmd-S save, unless a dialog is open. */
export const useSaveKeys = (save: () => Promise<void>): void => {
  const newest = useRef(save);
  useEffect(() => {
    newest.current = save;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isSave = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "s";
      if (!isSave) return;
      // Even where it does nothing here: nobody wants the page as a file.
      event.preventDefault();
      if (document.querySelector("dialog:modal") === null) void newest.current();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
};

import { type ReactNode, useEffect, useRef } from "react";

type KeepFocusProps = {
  /** What the list shows; whenever it is another, the focus is looked after. */
  of: unknown;
  children: ReactNode;
};

/** A list whose rows may go: when the one with the focus has gone, the keyboard goes on at the list, not at the page's top. */
export const KeepFocus = ({ of, children }: KeepFocusProps) => {
  const region = useRef<HTMLDivElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    // Not by React's own events: it hears none of those that a dialog causes when it closes with its component.
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      // What is asked in a dialog is about a row, and its last button is disabled while the answer is awaited.
      wasInside.current = region.current?.contains(target) === true || target.closest("dialog") !== null;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    const isLost = of !== null && wasInside.current && document.activeElement === document.body;
    if (isLost) region.current?.focus({ preventScroll: true });
  }, [of]);
  return (
    <div ref={region} tabIndex={-1} className="outline-none">
      {children}
    </div>
  );
};

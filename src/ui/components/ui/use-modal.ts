import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

type ModalOptions = {
  onClose: () => void;
  /** Takes focus when the dialog ends, for openers that are gone by then (a menu item). */
  returnFocusTo?: RefObject<HTMLElement | null> | undefined;
};

/**
 * Runs a native `<dialog>` as a modal for as long as it is mounted: the page behind is inert and does not scroll (by the
 * stylesheet), Escape and a press on the backdrop ask to close, and focus goes back to where it was.
 */
export const useModal = ({ onClose, returnFocusTo }: ModalOptions) => {
  const ref = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });

  useOpenWhileMounted(ref, returnFocusTo);

  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    const onCancel = (event: Event) => {
      event.preventDefault();
      close.current();
    };
    const onPress = (event: PointerEvent) => {
      if (event.target === dialog) close.current();
    };
    dialog.addEventListener("cancel", onCancel);
    dialog.addEventListener("pointerdown", onPress);
    return () => {
      dialog.removeEventListener("cancel", onCancel);
      dialog.removeEventListener("pointerdown", onPress);
    };
  }, []);

  return ref;
};

// A layout effect's cleanup runs while the dialog is still in the document, so that close() can hand focus back.
const useOpenWhileMounted = (
  ref: RefObject<HTMLDialogElement | null>,
  returnFocusTo: RefObject<HTMLElement | null> | undefined,
) => {
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null) return;
    noteScrollbarWidth();
    dialog.showModal();
    return () => {
      dialog.close();
      returnFocusTo?.current?.focus();
    };
  }, [ref, returnFocusTo]);
};

// Whatever reaches to the window's edge takes the place of the page's scrollbar, and the stylesheet holds the page behind
// where it is by this width. While another modal is open there is no scrollbar to measure.
const noteScrollbarWidth = () => {
  if (document.querySelector("dialog:modal") !== null) return;
  const { clientWidth, classList, style } = document.documentElement;
  classList.add("scrollbar-known");
  style.setProperty("--scrollbar-width", `${window.innerWidth - clientWidth}px`);
};

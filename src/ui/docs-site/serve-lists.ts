import { keepInSight } from "./keep-in-sight.ts";

/**
 * Lists of links show where the reader is, beside the text from the beginning and over it when they open there. One that
 * was opened goes away when a link within the page was followed.
 */
export const serveLists = (): void => {
  for (const list of document.querySelectorAll<HTMLElement>("[popover]")) {
    const showPlace = () => keepInSight(list.querySelector<HTMLElement>("[aria-current]"));
    showPlace();
    list.addEventListener("toggle", showPlace);
    list.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest("a") && list.matches(":popover-open"))
        list.hidePopover();
    });
  }
};

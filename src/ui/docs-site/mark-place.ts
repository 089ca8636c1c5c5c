import { keepInSight } from "./keep-in-sight.ts";

/** Marks in the list beside the text the heading that the reader has come to. */
export const markPlace = (): void => {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>("#contents a")].map((link) => [
      link.hash.slice(1),
      link,
    ]),
  );
  if (links.size === 0) return;
  const headings = [...document.querySelectorAll<HTMLElement>("article :is(h2, h3)[id]")];
  let marked: HTMLAnchorElement | undefined;
  const mark = () => {
    const passed = headings.findLast((heading) => heading.getBoundingClientRect().top < topPx);
    const link = links.get(passed?.id ?? "");
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    link?.setAttribute("aria-current", "location");
    marked = link;
    keepInSight(link);
  };
  // Once a frame at most: scrolling asks more often than anything can be seen.
  let isAsked = false;
  const ask = () => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      mark();
    });
  };
  addEventListener("scroll", ask, { passive: true });
  mark();
};

/** Below this line, in CSS pixels from the window's top, a heading is still to come. */
const topPx = 120;

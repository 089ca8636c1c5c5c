import { serveSearch } from "./search/serve-search.ts";
import { docsTexts as texts } from "./texts.ts";

const shownMs = 2000;

/** Gives each piece of code a button that copies it, and says whether it did. */
const offerCopies = (): void => {
  // Browsers offer it on https and on this machine alone.
  if (!("clipboard" in navigator)) return;
  const notice = document.getElementById("notice");
  for (const code of document.querySelectorAll<HTMLElement>("figure.code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = texts.copy;
    button.addEventListener("click", async () => {
      const outcome = await copy(code.querySelector("pre")?.textContent ?? "");
      button.textContent = outcome;
      if (notice) notice.textContent = outcome;
      setTimeout(() => {
        button.textContent = texts.copy;
        if (notice) notice.textContent = "";
      }, shownMs);
    });
    code.append(button);
  }
};

/** What there is to say afterwards. */
const copy = async (text: string): Promise<string> => {
  try {
    await navigator.clipboard.writeText(text);
    return texts.copied;
  } catch {
    // The reader has not allowed it; he can still mark the code and copy it himself.
    return texts.notCopied;
  }
};

/** Marks in the list beside the text the heading that the reader has come to. */
const markPlace = (): void => {
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

/**
 * Lists of links show where the reader is, beside the text from the beginning and over it when they open there. One that
 * was opened goes away when a link within the page was followed.
 */
const serveLists = (): void => {
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

/** Scrolls a list of links so far that one of them is seen. The list alone: `scrollIntoView` would move the page, too. */
const keepInSight = (link: HTMLElement | null | undefined): void => {
  const list = link?.closest("nav");
  if (!link || !list || list.scrollHeight <= list.clientHeight) return;
  list.scrollTop = link.offsetTop - list.clientHeight / 2;
};

/* The script of the documentation: search, copying, and where the reader is. Reading needs none of it. */

serveSearch();
offerCopies();
markPlace();
serveLists();
// As every page of the product says once it answers to its reader.
document.dispatchEvent(new Event("atrium:ready"));

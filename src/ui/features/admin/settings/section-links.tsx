import { type ReactNode, useEffect, useRef, useState } from "react";
import { settingsPageTexts as texts } from "./texts.ts";

type SectionLinksProps = {
  /** The anchors of the page's sections with their names, in their order. */
  sections: readonly { id: string; name: string }[];
  /** Beside the page on wide windows, or above it on every window, where it stays. */
  look: keyof typeof looks;
  /** What stands at the end of a row. */
  children?: ReactNode;
};

/** The page's sections: where the reader is, and the ways to the others. */
export const SectionLinks = ({ sections, look, children }: SectionLinksProps) => {
  const current = useSectionInSight(sections);
  const list = useRef<HTMLUListElement>(null);
  const { frame, items, link } = looks[look];
  useEffect(() => {
    // A row on a narrow window goes along; the page itself must not be scrolled by it.
    const shown = list.current?.querySelector<HTMLElement>(`[href="#${current}"]`);
    if (shown) list.current?.scrollTo?.({ left: shown.offsetLeft - list.current.offsetLeft - rowEdgePx });
  }, [current]);
  return (
    <nav aria-label={texts.onThisPage} data-head={look === "row" ? "" : undefined} className={frame}>
      <ul ref={list} className={items}>
        {sections.map(({ id, name }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === current ? "location" : undefined} className={link}>
              {name}
            </a>
          </li>
        ))}
      </ul>
      {children}
    </nav>
  );
};

const rowEdgePx = 16;

const quiet =
  "text-[0.8125rem] text-muted-foreground outline-none transition-colors hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring aria-[current=location]:border-primary aria-[current=location]:text-foreground";

const looks = {
  column: {
    frame: "sticky top-20 hidden w-44 shrink-0 self-start xl:block",
    items: "grid border-border border-l",
    link: `-ml-px block border-transparent border-l-2 py-1.5 pl-3 ${quiet}`,
  },
  row: {
    frame:
      "sticky top-14 z-20 -mx-4 flex items-center gap-3 border-b bg-background/95 px-4 backdrop-blur-md sm:mx-0 sm:px-0",
    items: "flex min-w-0 grow gap-x-5 overflow-x-auto [scrollbar-width:none]",
    link: `flex h-11 items-center whitespace-nowrap border-transparent border-b-2 focus-visible:ring-inset ${quiet}`,
  },
} as const;

// Where a section begins that its link has led to, below what stays above it, with room to spare.
const topPx = 160;

/** The section that the upper part of the window shows; the last one once the page ends. */
const useSectionInSight = (sections: SectionLinksProps["sections"]): string | undefined => {
  const [current, setCurrent] = useState(sections[0]?.id);
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= scrollHeight - 1;
      const reached = sections.filter(({ id }) => isAtEnd || topOf(id) <= topPx);
      setCurrent((reached.at(-1) ?? sections[0])?.id);
    };
    look();
    document.addEventListener("scroll", look, { passive: true });
    return () => document.removeEventListener("scroll", look);
  }, [sections]);
  return current;
};

const topOf = (id: string): number => document.getElementById(id)?.getBoundingClientRect().top ?? 0;

import { useEffect, useState } from "react";
import { type SectionId, sections, settingsPageTexts as texts } from "./texts.ts";

/** The page's sections beside it, on wide windows: where the reader is, and the ways to the others. */
export const SectionIndex = () => {
  const current = useSectionInSight();
  return (
    <nav aria-label={texts.onThisPage} className="sticky top-20 hidden w-44 shrink-0 self-start xl:block">
      <ul className="grid border-border border-l">
        {sections.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? "location" : undefined}
              className="-ml-px block border-transparent border-l-2 py-1.5 pl-3 text-[0.8125rem] text-muted-foreground outline-none transition-colors hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring aria-[current=location]:border-primary aria-[current=location]:text-foreground"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

// Where a section begins that its link has led to, below the bar, with room to spare.
const topPx = 160;

/** The section that the upper part of the window shows; the last one once the page ends. */
const useSectionInSight = (): SectionId => {
  const [current, setCurrent] = useState<SectionId>("redis");
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= scrollHeight - 1;
      const reached = sections.filter(({ id }) => isAtEnd || topOf(id) <= topPx);
      setCurrent(reached.at(-1)?.id ?? "redis");
    };
    look();
    document.addEventListener("scroll", look, { passive: true });
    return () => document.removeEventListener("scroll", look);
  }, []);
  return current;
};

const topOf = (id: SectionId): number => document.getElementById(id)?.getBoundingClientRect().top ?? 0;

import { useEffect, useState } from "react";

/** Which section the reader is in, by its heading's id; `null` before the first has been reached. */
export const useSectionInView = (sections: readonly { id: string }[]): string | null => {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    const headings = sections.flatMap(({ id }) => document.getElementById(id) ?? []);
    const look = () => {
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= readingLinePx);
      setShown(passed.at(-1)?.id ?? null);
    };
    // Asked only when a heading crosses the line, not on every step of scrolling.
    const observer = new IntersectionObserver(look, { rootMargin: `-${readingLinePx}px 0px 0px` });
    for (const heading of headings) observer.observe(heading);
    return () => observer.disconnect();
  }, [sections]);
  return shown;
};

/** Below the top bar and the room that a link's target keeps from it. */
const readingLinePx = 96;

import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { type DetailsTab, tabAddress } from "./details-query.ts";
import { detailsTexts as texts } from "./texts.ts";

type DetailsTabsProps = { name: string; tab: DetailsTab; tabs: readonly DetailsTab[] };

/** The way between the parts of a plugin's page. They are links: each has an address of its own. */
export const DetailsTabs = ({ name, tab, tabs }: DetailsTabsProps) => {
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another link in sight
  useEffect(() => showCurrent(strip.current), [tab]);
  return (
    <nav
      ref={strip}
      aria-label={texts.which}
      className="edge-shadows [--edge-cover:var(--background)] flex gap-1 overflow-x-auto border-border border-b"
    >
      {tabs.map((other) => (
        <Link
          key={other}
          href={tabAddress(name, other, tabs)}
          aria-current={other === tab ? "page" : undefined}
          className="-mb-px inline-flex h-11 shrink-0 items-center border-transparent border-b-2 px-3 font-medium text-muted-foreground text-sm outline-none transition-colors hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset aria-[current=page]:border-primary aria-[current=page]:text-foreground md:h-9"
        >
          {texts.tabs[other]}
        </Link>
      ))}
    </nav>
  );
};

/** Brings the current link to the middle of the strip, as far as that scrolls; the page stays where it is. */
const showCurrent = (strip: HTMLElement | null): void => {
  const current = strip?.querySelector("[aria-current=page]");
  if (!strip || !current) return;
  const [outer, inner] = [strip.getBoundingClientRect(), current.getBoundingClientRect()];
  strip.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
};

import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";
import { cn } from "#ui/lib/cn.ts";

type TabLinksProps<Name extends string> = {
  /** What is chosen between. */
  label: string;
  /** The tabs by name, in their order, in words. */
  tabs: Readonly<Partial<Record<Name, ReactNode>>>;
  /** `null` where none of them is shown. */
  current: Name | null;
  addressOf: (name: NoInfer<Name>) => string;
  /** Whether a press is no step of its own for Back. */
  isSameStep?: boolean;
  className?: string;
};

/** The way from one list of a page to the others. They are links: each list has an address of its own. */
export const TabLinks = <Name extends string>({
  label,
  tabs,
  current,
  addressOf,
  isSameStep = false,
  className,
}: TabLinksProps<Name>) => {
  const strip = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another link in sight
  useEffect(() => showCurrent(strip.current), [current]);
  return (
    <nav
      ref={strip}
      aria-label={label}
      className={cn("flex gap-1 overflow-x-auto shadow-[inset_0_-1px_var(--border)]", className)}
    >
      {namesOf(tabs).map((name) => (
        <Link
          key={name}
          href={addressOf(name)}
          replace={isSameStep}
          aria-current={name === current ? "page" : undefined}
          className="inline-flex h-11 shrink-0 items-center gap-1.5 border-transparent border-b-2 px-3 font-medium text-muted-foreground text-sm outline-none transition-colors hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset aria-[current=page]:border-primary aria-[current=page]:text-foreground md:h-9"
        >
          {tabs[name]}
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

// Object.keys forgets its keys' type; the record has these and no others.
const namesOf = <Name extends string>(tabs: Readonly<Partial<Record<Name, unknown>>>) =>
  Object.keys(tabs) as Name[];

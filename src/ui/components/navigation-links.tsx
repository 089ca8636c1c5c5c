import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { contentId } from "#ui/lib/use-act.ts";

type NavLinkProps = {
  href: string;
  className: string;
  /** Whether the page has places of its own, below its address. */
  hasPlaces?: boolean;
  children: ReactNode;
};

/** A link of a menu; the one that leads to the page on show says so. */
export const NavLink = ({ href, className, hasPlaces = false, children }: NavLinkProps) => {
  const [path] = useLocation();
  const isHere = path === href || (hasPlaces && path.startsWith(`${href}/`));
  return (
    <Link href={href} className={className} aria-current={isHere ? "page" : undefined}>
      {children}
    </Link>
  );
};

/** A link to a page of the site that may be on another site. */
export const SiteLink = ({ href, className, children }: Omit<NavLinkProps, "hasPlaces">) =>
  href.startsWith("/") ? (
    <Link href={href} className={className}>
      {children}
    </Link>
  ) : (
    <a href={href} className={className}>
      {children}
    </a>
  );

/** The first stop of the Tab key: leaps over the menus to the content. */
export const SkipLink = () => (
  <a
    href={`#${contentId}`}
    className="-translate-y-24 fixed top-3 left-3 z-50 rounded-md bg-primary px-4 py-2.5 font-medium text-primary-foreground text-sm focus:translate-y-0"
  >
    Skip to content
  </a>
);

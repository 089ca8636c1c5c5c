import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

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

import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

type NavLinkProps = { href: string; className: string; children: ReactNode };

/** A link of a menu; the one that leads to the page on show says so. */
export const NavLink = ({ href, className, children }: NavLinkProps) => {
  const [path] = useLocation();
  return (
    <Link href={href} className={className} aria-current={path === href ? "page" : undefined}>
      {children}
    </Link>
  );
};

import type { ReactNode } from "react";
import { Link } from "wouter";

type TextLinkProps = { href: string; state?: unknown; children: ReactNode };

/** A link within a line of words, tall enough for a thumb on phones. */
export const TextLink = ({ href, state, children }: TextLinkProps) => (
  <Link
    href={href}
    state={state}
    className="inline-flex min-h-11 items-center rounded-sm font-medium text-foreground underline decoration-border underline-offset-4 outline-none hover:decoration-foreground focus-visible:ring-2 focus-visible:ring-ring md:min-h-7"
  >
    {children}
  </Link>
);

import type { ComponentProps } from "react";
import { Link } from "wouter";
import { useSite } from "#ui/lib/site.ts";

/** What leads home. */
export const BrandLink = () => (
  <Link
    href="/"
    className="inline-flex h-11 min-w-0 items-center rounded-md font-semibold text-base tracking-tight md:h-9"
  >
    <Brand name={useSite().name} />
  </Link>
);

/** The sign and the site's name; where the site has a logo, its style sheet shows that, and leaves them to screen readers. */
export const Brand = ({ name }: { name: string }) => (
  <>
    <span data-brand="logo" />
    <span data-brand="words" className="inline-flex min-w-0 items-center gap-2">
      <BrandMark className="size-5 shrink-0 text-primary" />
      <span className="truncate">{name}</span>
    </span>
  </>
);

/** The site's icon, or until it has one the product's sign: an arch with the light in it, in the text's color. */
export const BrandMark = (props: ComponentProps<"svg">) => (
  <svg data-brand="sign" viewBox="0 0 24 24" aria-hidden="true" fill="currentColor" {...props}>
    <path d="M3 21V12a9 9 0 0 1 18 0v9h-4.5v-9a4.5 4.5 0 0 0-9 0v9Z" />
    <circle cx="12" cy="18.75" r="2.25" />
  </svg>
);

import { Link } from "wouter";

/** The product's sign and name, leading home. */
export const BrandLink = () => (
  <Link
    href="/"
    className="inline-flex h-11 items-center gap-2 rounded-md font-semibold text-base tracking-tight md:h-9"
  >
    <BrandMark className="size-5 text-primary" />
    Atrium
  </Link>
);

/** The product's sign: an arch with the light in it. Its color is the text's. */
export const BrandMark = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" fill="currentColor" className={className}>
    <path d="M3 21V12a9 9 0 0 1 18 0v9h-4.5v-9a4.5 4.5 0 0 0-9 0v9Z" />
    <circle cx="12" cy="18.75" r="2.25" />
  </svg>
);

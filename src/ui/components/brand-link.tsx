import { Link } from "wouter";
import { BrandMark } from "./brand-mark.tsx";

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

import { LoaderCircle } from "lucide-react";
import { cn } from "#ui/lib/cn.ts";

/** A turning ring that appears after 200 ms, so that quick answers do not flicker. Say the wait in text beside it. */
export const Spinner = ({ className }: { className?: string }) => (
  <LoaderCircle
    aria-hidden="true"
    className={cn(
      "size-4 animate-spin transition-opacity delay-200 duration-150 starting:opacity-0 motion-reduce:animate-none",
      className,
    )}
  />
);

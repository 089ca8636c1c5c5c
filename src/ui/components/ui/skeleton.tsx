import { cn } from "#ui/lib/cn.ts";

/** A grey stand-in in the shape of what comes. Put `aria-busy` on the region around it. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden="true" className={cn("rounded-md bg-muted motion-safe:animate-pulse", className)} />
);

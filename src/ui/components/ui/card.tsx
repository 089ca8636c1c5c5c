import type { ComponentProps } from "react";
import { cn } from "#ui/lib/cn.ts";

/** A surface that groups what belongs together. */
export const Card = ({ className, ...props }: ComponentProps<"section">) => (
  <section
    className={cn("rounded-lg border border-border bg-card text-card-foreground", className)}
    {...props}
  />
);

/** Title row of a card. */
export const CardHeader = ({ className, ...props }: ComponentProps<"div">) => (
  <div className={cn("flex items-center justify-between gap-3 px-5 pt-4 pb-3", className)} {...props} />
);

/** Name of a card; a heading of the second level. */
export const CardTitle = ({ className, children, ...props }: ComponentProps<"h2">) => (
  <h2 className={cn("font-semibold text-sm leading-5 tracking-tight", className)} {...props}>
    {children}
  </h2>
);

/** Body of a card. */
export const CardContent = ({ className, ...props }: ComponentProps<"div">) => (
  <div className={cn("px-5 pb-5", className)} {...props} />
);

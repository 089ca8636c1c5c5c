import type { ComponentProps } from "react";
import { cn } from "#ui/lib/cn.ts";

type LabelProps = ComponentProps<"label"> & { htmlFor: string };

/** The name of a control, above it. */
export const Label = ({ className, htmlFor, children, ...props }: LabelProps) => (
  <label htmlFor={htmlFor} className={cn("font-medium text-sm leading-5", className)} {...props}>
    {children}
  </label>
);

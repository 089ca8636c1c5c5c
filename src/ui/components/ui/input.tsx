import type { ComponentProps } from "react";
import { cn } from "#ui/lib/cn.ts";
import { useFieldControl } from "./field.tsx";
import { textControl } from "./text-control.ts";

/** A one-line text control; inside a `Field` it takes its id, description and validity from there. */
export const Input = ({ className, ...props }: ComponentProps<"input">) => (
  <input className={cn("h-11 md:h-9", textControl, className)} {...useFieldControl()} {...props} />
);

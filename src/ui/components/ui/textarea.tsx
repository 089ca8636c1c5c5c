import type { ComponentProps } from "react";
import { cn } from "#ui/lib/cn.ts";
import { useFieldControl } from "./field.tsx";
import { textControl } from "./input.tsx";

/** A text control of several lines, as many as `rows` says; wired to the `Field` around it. */
export const Textarea = ({ className, ...props }: ComponentProps<"textarea">) => (
  <textarea
    className={cn("min-h-20 resize-y py-2 leading-6", textControl, className)}
    {...useFieldControl()}
    {...props}
  />
);

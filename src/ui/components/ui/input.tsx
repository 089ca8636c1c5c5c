import type { ComponentProps } from "react";
import { cn } from "#ui/lib/cn.ts";
import { useFieldControl } from "./field.tsx";

/** A one-line text control; inside a `Field` it takes its id, description and validity from there. */
export const Input = ({ className, ...props }: ComponentProps<"input">) => (
  <input className={cn("h-11 md:h-9", textControl, className)} {...useFieldControl()} {...props} />
);

/** An input for what is no word of a language, such as a name or an address. */
export const PlainInput = (props: ComponentProps<typeof Input>) => (
  <Input autoComplete="off" autoCapitalize="none" autoCorrect="off" spellCheck={false} {...props} />
);

/** The look that inputs, text areas and selects share. */
export const textControl = [
  "w-full min-w-0 rounded-md border border-input bg-card px-3 text-base shadow-xs transition-[border-color,box-shadow] duration-150 md:text-sm",
  "outline-none placeholder:text-muted-foreground focus-visible:border-ring focus-visible:ring-3 focus-visible:ring-ring/25",
  "aria-invalid:border-destructive aria-invalid:focus-visible:ring-destructive/25",
  "disabled:cursor-not-allowed disabled:opacity-60 [&[readonly]]:bg-muted",
].join(" ");

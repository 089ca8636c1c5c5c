import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "#ui/lib/cn.ts";
import { useFieldControl } from "./field.tsx";
import { textControl } from "./input.tsx";

type SelectProps = ComponentProps<"select"> & {
  /** Values with their words; other options are `<option>` elements. */
  options?: readonly (readonly [value: string | number, words: string])[];
};

/** A native choice of one; wired to the `Field` around it. */
export const Select = ({ className, options = [], children, ...props }: SelectProps) => (
  <div className="relative">
    <select
      className={cn("h-11 cursor-pointer appearance-none pr-9 md:h-9", textControl, className)}
      {...useFieldControl()}
      {...props}
    >
      {children}
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
    <ChevronDown
      aria-hidden="true"
      className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
    />
  </div>
);

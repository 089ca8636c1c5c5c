import type { ComponentProps, ReactNode } from "react";

type CheckboxProps = Omit<ComponentProps<"input">, "type" | "className" | "children"> & {
  label: string;
  hint?: ReactNode;
};

/** A box to tick, with its name beside it and a hint below; all of it can be pressed. */
export const Checkbox = ({ label, hint, ...props }: CheckboxProps) => (
  <label className="flex cursor-pointer items-start gap-3 text-sm max-md:min-h-11">
    <input
      type="checkbox"
      className="mt-0.5 size-4.5 shrink-0 accent-primary focus-visible:outline-2 focus-visible:outline-ring focus-visible:outline-offset-2 md:size-4"
      {...props}
    />
    <span className="grid gap-0.5">
      <span className="font-medium">{label}</span>
      {hint !== undefined && <span className="text-[0.8125rem] text-muted-foreground">{hint}</span>}
    </span>
  </label>
);

import { type ReactNode, useId } from "react";

/** A part of a sheet below its own heading. */
export const SheetPart = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h3 id={id} className="font-semibold text-sm tracking-tight">
        {title}
      </h3>
      {children}
    </section>
  );
};

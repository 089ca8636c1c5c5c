import { cn } from "#ui/lib/cn.ts";

/** A hairline; with `label`, the words stand in its middle. */
export const Separator = ({ label, className }: { label?: string; className?: string }) => {
  if (label === undefined) return <hr className={cn("border-border border-t", className)} />;
  return (
    <div
      className={cn(
        "flex items-center gap-3 text-muted-foreground text-xs before:h-px before:grow before:bg-border after:h-px after:grow after:bg-border",
        className,
      )}
    >
      {label}
    </div>
  );
};

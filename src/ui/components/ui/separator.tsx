/** A hairline with words in its middle. */
export const Separator = ({ label }: { label: string }) => (
  <div className="flex items-center gap-3 text-muted-foreground text-xs before:h-px before:grow before:bg-border after:h-px after:grow after:bg-border">
    {label}
  </div>
);

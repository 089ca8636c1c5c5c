import type { ReactNode } from "react";

/** One named fact of a `<dl>` grid; its name goes above it on phones. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-muted-foreground max-sm:-mb-2">{name}</dt>
    <dd className="wrap-anywhere min-w-0">{children}</dd>
  </div>
);

import type { ReactNode } from "react";

type PageHeaderProps = { title: string; lead?: ReactNode; actions?: ReactNode };

/** Title row of an admin page with its actions. */
export const PageHeader = ({ title, lead, actions }: PageHeaderProps) => (
  <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
    <div className="min-w-0">
      <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
      {lead !== undefined && <p className="wrap-anywhere text-sm text-muted-foreground">{lead}</p>}
    </div>
    {actions}
  </header>
);

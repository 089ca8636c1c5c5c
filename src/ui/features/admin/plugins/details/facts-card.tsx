import type { ReactNode } from "react";
import { Card, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";

/** Named facts in a card. */
export const FactsCard = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card aria-label={title} className="min-w-0">
    <CardHeader>
      <CardTitle>{title}</CardTitle>
    </CardHeader>
    <dl className="divide-y divide-border border-border border-t text-sm">{children}</dl>
  </Card>
);

/** One of them. */
export const FactRow = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-6 px-5 py-2">
    <dt className="text-muted-foreground">{name}</dt>
    <dd className="wrap-anywhere min-w-0">{children}</dd>
  </div>
);

type RowsCardProps = { title: string; empty: string; isEmpty: boolean; children: ReactNode };

/** A card around a table, or a sentence where it would be empty. */
export const RowsCard = ({ title, empty, isEmpty, children }: RowsCardProps) => (
  <Card className="min-w-0 overflow-clip">
    <CardHeader>
      <CardTitle>{title}</CardTitle>
    </CardHeader>
    {isEmpty ? <p className="px-5 pb-4 text-muted-foreground text-sm">{empty}</p> : children}
  </Card>
);

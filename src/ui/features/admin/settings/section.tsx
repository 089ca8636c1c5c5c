import type { ReactNode } from "react";
import { Card, CardTitle } from "#ui/components/ui/card.tsx";
import { type SectionId, sections } from "./texts.ts";

type SectionProps = {
  id: SectionId;
  lead: string;
  /** What stands below the lead: how things are at the moment. */
  status?: ReactNode;
  /** Buttons at the end. */
  actions?: ReactNode;
  children: ReactNode;
};

/** One section of the settings, which its anchor leads to. */
export const Section = ({ id, lead, status, actions, children }: SectionProps) => (
  <Card id={id} aria-labelledby={`${id}-title`} className="min-w-0">
    <header className="grid gap-1 border-border border-b px-5 py-4">
      <CardTitle id={`${id}-title`} className="text-base">
        {sections.find((section) => section.id === id)?.name}
      </CardTitle>
      <p className="text-muted-foreground text-[0.8125rem]">{lead}</p>
      {status}
    </header>
    {children}
    {actions !== undefined && (
      <footer className="flex flex-wrap items-center gap-3 border-border border-t px-5 py-3">
        {actions}
      </footer>
    )}
  </Card>
);

import type { ReactNode } from "react";
import { Alert } from "#ui/components/ui/alert.tsx";
import { useLoad } from "#ui/lib/use-load.ts";
import { getSafeMode } from "./api.ts";
import { safeModeTexts as texts } from "./texts.ts";

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

// It changes with a start of the server alone.
const restingMs = 60_000;

/** Says that no plugin runs, on a server that was started in safe mode. */
export const SafeModeBanner = () => {
  const { data: isSafeMode } = useLoad(getSafeMode, restingMs);
  return isSafeMode === true ? <SafeModeAlert /> : null;
};

/** What it says. */
export const SafeModeAlert = () => (
  <Alert severity="warning" title={texts.title}>
    {texts.text}
  </Alert>
);

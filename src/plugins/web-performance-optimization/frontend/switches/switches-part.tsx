import { Skeleton, useLoad } from "@atrium/plugin-sdk/ui";
import { useCallback } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import { loadReport, loadSwitches } from "../calls.ts";
import { LoadFailure } from "../load-failure.tsx";
import { texts } from "../texts.ts";
import { MeasureCard } from "./measure-card.tsx";
import { SwitchCard } from "./switch-card.tsx";

const restingMs = 30_000;
const workingMs = 1_000;

/** The switches, each with what it does. */
export const SwitchesPart = ({ api }: { api: WindowApi }) => {
  const loadAll = useCallback(() => loadSwitches(api), [api]);
  const loadLast = useCallback(() => loadReport(api), [api]);
  const switches = useLoad(loadAll, restingMs);
  const report = useLoad(loadLast, workingMs);
  if (switches.data === null || report.data === null) {
    const error = switches.error ?? report.error;
    if (error === null) return <Waiting />;
    return (
      <LoadFailure
        error={error}
        onRetry={() => {
          switches.reload();
          report.reload();
        }}
      />
    );
  }
  const { data } = switches;
  const last = report.data;
  return (
    <div className="grid grid-cols-1 gap-6">
      <p className="max-w-3xl text-muted-foreground text-sm">{texts.switchesLead}</p>
      <MeasureCard api={api} state={last} onChange={report.reload} />
      {data.switches.map(({ name, isOn }) => (
        <SwitchCard
          key={name}
          api={api}
          name={name}
          isOn={isOn}
          measured={last.report?.switches.find((one) => one.name === name)}
          turned={data.switchings.find((one) => one.switch === name)}
          onTurned={switches.reload}
        />
      ))}
    </div>
  );
};

const Waiting = () => (
  <div className="grid grid-cols-1 gap-6" aria-busy="true">
    <span className="sr-only">{texts.loading}</span>
    <Skeleton className="h-32 w-full" />
    <Skeleton className="h-40 w-full" />
    <Skeleton className="h-40 w-full" />
  </div>
);

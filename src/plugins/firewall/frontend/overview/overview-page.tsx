import { useCallback } from "react";
import { LoadAlert } from "../parts/load-alert.tsx";
import { useFirewall, useRuleLoad } from "../use-firewall.ts";
import { LatestBlocks } from "./latest-blocks.tsx";
import { LevelForm } from "./level-form.tsx";
import { RulesCard } from "./rules-card.tsx";
import { StateCard } from "./state-card.tsx";
import { SwitchesCard } from "./switches-card.tsx";
import { TrafficCard } from "./traffic-card.tsx";

const restingMs = 10_000;

/** How the firewall is, in one look, and what is decided for all of it. */
export const OverviewPage = () => {
  const { calls } = useFirewall();
  const load = useCallback(() => calls.status(), [calls]);
  const { data, error, reload } = useRuleLoad(load, restingMs);
  return (
    <div className="grid grid-cols-1 gap-4">
      {error !== null && data === null && <LoadAlert error={error} onRetry={reload} />}
      <StateCard status={data} />
      <TrafficCard counts={data?.last24Hours ?? null} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <SwitchesCard />
          <RulesCard status={data} />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <LatestBlocks />
          <LevelForm />
        </div>
      </div>
    </div>
  );
};

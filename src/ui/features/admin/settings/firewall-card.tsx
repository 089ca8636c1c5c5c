import { RefreshCw, Shield, ShieldCheck } from "lucide-react";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card, CardTitle } from "#ui/components/ui/card.tsx";
import { firewallState } from "./firewall-state.ts";
import { firewallTexts as texts } from "./texts.ts";
import type { StatusDesk } from "./use-system-status.ts";

/** How the firewall is, what follows for the settings below, and the way to look again. */
export const FirewallCard = ({ desk }: { desk: StatusDesk }) => {
  const { status, hasFailed, isRefreshing } = desk;
  const isKnown = status !== null || hasFailed;
  const firewall = status?.firewall ?? null;
  const state = firewallState(firewall);
  const isManaging = state === "on" || state === "limitingOff";
  const Icon = isManaging ? ShieldCheck : Shield;
  return (
    <Card
      aria-labelledby="firewall-title"
      aria-busy={!isKnown}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4"
    >
      <div className="flex min-w-48 grow basis-0 gap-3">
        <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted-foreground" />
        <div className="grid min-w-0 gap-1">
          <div className="flex min-h-5.5 flex-wrap items-center gap-2">
            <CardTitle id="firewall-title">{texts.title}</CardTitle>
            {isKnown && <Badge tone={isManaging ? "success" : "neutral"}>{texts.states[state].badge}</Badge>}
          </div>
          <p role="status" className="min-h-5 text-[0.8125rem] text-muted-foreground">
            {isKnown && (
              <>
                {texts.states[state].text}
                {hasFailed && ` ${texts.unreachable}`}
                {firewall?.developmentModeEnabled === true && isManaging && ` ${texts.development}`}
              </>
            )}
          </p>
        </div>
      </div>
      <Button variant="outline" size="sm" isBusy={isRefreshing} onClick={() => void desk.refreshFirewall()}>
        {!isRefreshing && <RefreshCw aria-hidden="true" />}
        {texts.refresh}
      </Button>
    </Card>
  );
};

import { Badge, Card, CardTitle, Skeleton } from "@atrium/plugin-sdk/ui";
import { Shield, ShieldAlert, ShieldCheck } from "lucide-react";
import type { ConfigData, StatusData } from "../../backend/wire.ts";
import { InstantSwitch } from "../parts/instant-switch.tsx";
import { overviewTexts as texts } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";

/** What the firewall does at this moment, and the master switch. */
export const StateCard = ({ status }: { status: StatusData | null }) => {
  const { calls, config } = useFirewall();
  const save = useSaver();
  const { Icon, tint, tone, word } = looks[lookOf(config)];
  return (
    <Card
      aria-labelledby="firewall-state"
      className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 p-5"
    >
      <div className="flex min-w-60 grow basis-0 gap-3.5">
        <Icon aria-hidden="true" className={`size-9 shrink-0 ${tint}`} />
        <div className="grid min-w-0 gap-1">
          <div className="flex flex-wrap items-center gap-2">
            <CardTitle id="firewall-state">{texts.state}</CardTitle>
            <Badge tone={tone}>{word}</Badge>
          </div>
          {status === null ? (
            <Skeleton className="h-5 w-56" />
          ) : (
            <p role="status" className="wrap-anywhere text-sm leading-5">
              {status.state}
            </p>
          )}
        </div>
      </div>
      <InstantSwitch
        className="min-w-60 grow basis-0 border-border sm:max-w-80 sm:border-l sm:pl-6"
        label={texts.master}
        hint={texts.masterHint}
        isOn={config.masterSwitchEnabled}
        onSwitch={(masterSwitchEnabled) =>
          save((revision) => calls.saveSwitches({ masterSwitchEnabled, revision }))
        }
      />
    </Card>
  );
};

const lookOf = ({ masterSwitchEnabled, developmentModeEnabled, trouble }: ConfigData) => {
  if (trouble !== null) return "trouble";
  if (!masterSwitchEnabled) return "off";
  return developmentModeEnabled ? "development" : "on";
};

const looks = {
  trouble: { Icon: ShieldAlert, tint: "text-destructive", tone: "danger", word: texts.trouble },
  off: { Icon: Shield, tint: "text-muted-foreground", tone: "neutral", word: texts.off },
  development: { Icon: ShieldAlert, tint: "text-warning", tone: "warning", word: texts.development },
  on: { Icon: ShieldCheck, tint: "text-success", tone: "success", word: texts.on },
} as const;

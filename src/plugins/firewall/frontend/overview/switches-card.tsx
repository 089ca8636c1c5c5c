import { Card, CardHeader, CardTitle } from "@atrium/plugin-sdk/ui";
import type { Switches } from "../../backend/wire.ts";
import { InstantSwitch } from "../parts/instant-switch.tsx";
import { overviewTexts as texts } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";

/** What the firewall does while it is on, each to be switched by itself. */
export const SwitchesCard = () => {
  const { calls, config } = useFirewall();
  const save = useSaver();
  const turn = (name: keyof Switches) => (isOn: boolean) =>
    save((revision) => calls.saveSwitches({ [name]: isOn, revision }));
  return (
    <Card aria-labelledby="firewall-switches">
      <CardHeader>
        <CardTitle id="firewall-switches">{texts.switches}</CardTitle>
      </CardHeader>
      {!config.masterSwitchEnabled && (
        <p className="px-5 pb-2 text-[0.8125rem] text-muted-foreground">{texts.idle}</p>
      )}
      <div className="divide-y divide-border border-border border-t px-5">
        {switches.map(({ name, label, hint }) => (
          <InstantSwitch
            key={name}
            className="py-3.5"
            label={label}
            hint={hint}
            isOn={config[name]}
            onSwitch={turn(name)}
          />
        ))}
      </div>
    </Card>
  );
};

const switches = [
  { name: "developmentModeEnabled", label: texts.developmentMode, hint: texts.developmentHint },
  { name: "rateLimitingEnabled", label: texts.rates, hint: texts.ratesHint },
  { name: "patternsEnabled", label: texts.patterns, hint: texts.patternsHint },
  { name: "bansEnabled", label: texts.bans, hint: texts.bansHint },
] as const;

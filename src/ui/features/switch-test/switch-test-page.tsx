import { useId, useState } from "react";
import { Card } from "#ui/components/ui/card.tsx";
import { Label } from "#ui/components/ui/field.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";

/** Four switches to try. */
export const SwitchTestPage = () => (
  <div className="mx-auto grid w-full max-w-[44rem] gap-6 px-4 py-10 sm:px-6 sm:py-14">
    <div>
      <h1 className="font-semibold text-2xl tracking-tight">{switchTestTexts.title}</h1>
      <p className="mt-1 text-pretty text-muted-foreground text-sm">{switchTestTexts.note}</p>
    </div>
    <Card aria-label={switchTestTexts.title} className="divide-y divide-border">
      {switchTestTexts.switches.map(({ label, hint }) => (
        <DemoSwitch key={label} label={label} hint={hint} />
      ))}
    </Card>
  </div>
);

/** One switch with its name, what it would do, and its state in words. */
const DemoSwitch = ({ label, hint }: { label: string; hint: string }) => {
  const [isOn, setIsOn] = useState(false);
  const id = useId();
  return (
    <div className="flex min-h-16 items-center gap-4 px-5 py-3.5">
      <div className="grow">
        <Label htmlFor={id}>{label}</Label>
        <p id={`${id}-hint`} className="mt-0.5 text-muted-foreground text-[0.8125rem]">
          {hint}
        </p>
      </div>
      <span aria-hidden="true" className="w-6 text-right text-muted-foreground text-[0.8125rem]">
        {isOn ? switchTestTexts.on : switchTestTexts.off}
      </span>
      <Switch id={id} aria-describedby={`${id}-hint`} checked={isOn} onCheckedChange={setIsOn} />
    </div>
  );
};

/** Words of the switch test. */
const switchTestTexts = {
  title: "Switch Test",
  note: "These switches are only a demo: nothing is saved and nothing is blocked.",
  on: "On",
  off: "Off",
  switches: [
    { label: "IP Blocking", hint: "Block requests from listed IP addresses" },
    { label: "Country Blocking", hint: "Block requests by country" },
    { label: "Rate Limiting", hint: "Limit clients that send too many requests" },
    { label: "Pattern Detection", hint: "Detect requests that look like attacks" },
  ],
} as const;

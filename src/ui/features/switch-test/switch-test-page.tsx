import { Card } from "#ui/components/ui/card.tsx";
import { DemoSwitch } from "./demo-switch.tsx";
import { switchTestTexts as texts } from "./texts.ts";

/** Four switches to try. */
export const SwitchTestPage = () => (
  <div className="mx-auto grid w-full max-w-[44rem] gap-6 px-4 py-10 sm:px-6 sm:py-14">
    <div>
      <h1 className="font-semibold text-2xl tracking-tight">{texts.title}</h1>
      <p className="mt-1 text-pretty text-muted-foreground text-sm">{texts.note}</p>
    </div>
    <Card aria-label={texts.title} className="divide-y divide-border">
      {texts.switches.map(({ label, hint }) => (
        <DemoSwitch key={label} label={label} hint={hint} />
      ))}
    </Card>
  </div>
);

import { useId, useState } from "react";
import { Label } from "#ui/components/ui/label.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";
import { switchTestTexts as texts } from "./texts.ts";

/** One switch with its name, what it would do, and its state in words. */
export const DemoSwitch = ({ label, hint }: { label: string; hint: string }) => {
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
        {isOn ? texts.on : texts.off}
      </span>
      <Switch id={id} aria-describedby={`${id}-hint`} checked={isOn} onCheckedChange={setIsOn} />
    </div>
  );
};

import { useId } from "react";
import { Label } from "#ui/components/ui/label.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";
import { activityPageTexts as texts } from "./texts.ts";

type LiveSwitchProps = { isOn: boolean; isLive: boolean; onChange: (isOn: boolean) => void };

/** Whether newer activities appear by themselves, and how they do at the moment. */
export const LiveSwitch = ({ isOn, isLive, onChange }: LiveSwitchProps) => {
  const id = useId();
  return (
    <div className="flex min-h-11 items-center gap-2.5 max-sm:w-full md:min-h-8">
      <Switch id={id} checked={isOn} onCheckedChange={onChange} />
      <Label htmlFor={id}>{texts.refresh}</Label>
      {/* In wide windows where there is room to grow, else with its room kept, so that nothing beside it moves. */}
      <span role="status" className="min-w-16 text-muted-foreground text-xs xl:order-first xl:min-w-0">
        {isOn && isLive && (
          <span className="inline-flex items-center gap-1.5 text-success">
            <span aria-hidden="true" className="size-2 rounded-full bg-success motion-safe:animate-pulse" />
            {texts.live}
          </span>
        )}
        {isOn && !isLive && texts.every30s}
      </span>
    </div>
  );
};

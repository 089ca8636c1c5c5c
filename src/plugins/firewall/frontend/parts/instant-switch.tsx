import { Button, cn, Label, Switch } from "@atrium/plugin-sdk/ui";
import { type ReactNode, useId, useState } from "react";
import type { Switches } from "../../backend/wire.ts";
import { isUnreachable, saveFailure } from "../calls.ts";
import { texts } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";

type InstantSwitchProps = {
  label: string;
  hint?: ReactNode;
  isOn: boolean;
  /** Saves it at this revision of the rules; what is rejected turns the switch back. */
  onSwitch: (isOn: boolean, revision: number) => Promise<unknown>;
  /** Its name is for screen readers alone, as something beside it says it. */
  isBare?: boolean;
  className?: string;
};

/** A switch that saves at once: it turns before the answer is there, and back with the reason where it is a refusal. */
export const InstantSwitch = ({
  label,
  hint,
  isOn,
  onSwitch,
  isBare = false,
  className,
}: InstantSwitchProps) => {
  const id = useId();
  const save = useSaver();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  // What was meant when no answer came.
  const [missed, setMissed] = useState<boolean | null>(null);
  const turn = async (next: boolean) => {
    // A press while the last one is on its way would overtake it.
    if (wanted !== null) return;
    setWanted(next);
    setFailure(null);
    setMissed(null);
    try {
      await save((revision) => onSwitch(next, revision));
    } catch (error) {
      setFailure(saveFailure(error));
      setMissed(isUnreachable(error) ? next : null);
    } finally {
      setWanted(null);
    }
  };
  const again = missed !== null && (
    <Button variant="outline" size="sm" className="mt-1 justify-self-start" onClick={() => void turn(missed)}>
      {texts.tryAgain}
    </Button>
  );
  const describedBy = [hint !== undefined && `${id}-hint`, failure !== null && `${id}-failure`];
  return (
    <div className={cn("flex items-start justify-between gap-4", isBare && "block", className)}>
      {!isBare && (
        <div className="grid min-w-0 gap-0.5">
          <Label htmlFor={id}>{label}</Label>
          {hint !== undefined && (
            <div id={`${id}-hint`} className="wrap-anywhere text-[0.8125rem] text-muted-foreground leading-5">
              {hint}
            </div>
          )}
          <Failure id={`${id}-failure`} text={failure} />
          {again}
        </div>
      )}
      <Switch
        id={id}
        aria-label={isBare ? label : undefined}
        aria-describedby={describedBy.filter(Boolean).join(" ") || undefined}
        aria-busy={wanted !== null || undefined}
        checked={wanted ?? isOn}
        onCheckedChange={(next) => void turn(next)}
      />
      {isBare && <Failure id={`${id}-failure`} text={failure} />}
      {isBare && again}
    </div>
  );
};

const Failure = ({ id, text }: { id: string; text: string | null }) =>
  text !== null && (
    <p id={id} role="alert" className="wrap-anywhere whitespace-normal text-[0.8125rem] text-destructive">
      {text}
    </p>
  );

type ConfigSwitchProps = Pick<InstantSwitchProps, "label" | "hint" | "className"> & {
  name: Extract<keyof Switches, `${string}Enabled`>;
};

/** One of the firewall's own switches. */
export const ConfigSwitch = ({ name, ...look }: ConfigSwitchProps) => {
  const { calls, config } = useFirewall();
  return (
    <InstantSwitch
      {...look}
      isOn={config[name]}
      onSwitch={(isOn, revision) => calls.saveSwitches({ [name]: isOn, revision })}
    />
  );
};

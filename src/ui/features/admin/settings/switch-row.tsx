import { type ReactNode, useId } from "react";
import { Label } from "#ui/components/ui/label.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";
import type { SwitchPath } from "./draft.ts";
import type { SettingsForm } from "./use-settings-form.ts";

type SwitchRowProps = {
  form: SettingsForm;
  path: SwitchPath;
  label: string;
  /** What it does, or does now. */
  hint: ReactNode;
  /** How it stands whatever was chosen, where somebody else decides. */
  forced?: boolean | undefined;
};

/** A setting that is on or off. While the firewall manages it, it shows what is in force and cannot be changed. */
export const SwitchRow = ({ form, path, label, hint, forced }: SwitchRowProps) => {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4 py-3.5">
      <div className="grid min-w-0 gap-0.5">
        <Label htmlFor={id}>{label}</Label>
        <div id={`${id}-hint`} className="wrap-anywhere text-[0.8125rem] text-muted-foreground leading-5">
          {hint}
        </div>
        {form.errors[path] !== undefined && (
          <p role="alert" className="text-[0.8125rem] text-destructive">
            {form.errors[path]}
          </p>
        )}
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        disabled={form.isManaged}
        checked={forced ?? form.draft[path]}
        onCheckedChange={(isOn) => form.set(path, isOn)}
      />
    </div>
  );
};

import { useCallback, useRef } from "react";
import type { ShownSettings } from "#api/modules/plugins/contract.ts";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../../../access-error.tsx";
import { settingsTabTexts as texts } from "../texts.ts";
import { PluginSettingsForm } from "./plugin-settings-form.tsx";

type SettingsTabProps = { name: string; onDirty: (isDirty: boolean) => void };

/** A plugin's settings, in a form that is drawn from what its manifest says of them. */
export const SettingsTab = ({ name, onDirty }: SettingsTabProps) => {
  const opening = useRef<ShownSettings | null>(null);
  // Once is enough: what comes later must take nothing from whoever is typing.
  const load = useCallback(async () => {
    opening.current ??= (await client.plugins.settings({ name })).data;
    return opening.current;
  }, [name]);
  const { data, error, reload } = useLoad(load);
  if (data !== null) return <PluginSettingsForm name={name} opening={data} onDirty={onDirty} />;
  if (error !== null) return <AccessError error={error} hasData={false} onRetry={reload} />;
  return (
    <div aria-busy="true">
      <span className="sr-only">{texts.loading}</span>
      <Skeleton className="h-64 w-full" />
    </div>
  );
};

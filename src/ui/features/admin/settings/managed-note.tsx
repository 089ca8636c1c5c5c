import { Lock } from "lucide-react";
import { pageSettingsTexts } from "#contract/settings-texts.ts";

/** Says why the controls below it cannot be used. */
export const ManagedNote = () => (
  <p className="flex items-center gap-2 border-border border-b bg-muted px-5 py-2.5 text-[0.8125rem] text-muted-foreground">
    <Lock aria-hidden="true" className="size-3.5 shrink-0" />
    {pageSettingsTexts.managedByFirewall}
  </p>
);

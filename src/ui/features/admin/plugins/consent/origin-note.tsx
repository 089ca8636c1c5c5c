import type { PluginSignature } from "#contract/plugins.ts";
import { Alert, type AlertSeverity } from "#ui/components/ui/alert.tsx";
import { consentTexts as texts } from "./permission-texts.ts";

/** Where a package comes from, and how far that can be relied on. */
export const OriginNote = ({ signature: { state, publisher } }: { signature: PluginSignature }) => (
  <Alert severity={severities[state]}>
    {state === "signed" ? texts.publisher.signed(publisher ?? texts.somebody) : texts.publisher[state]}
  </Alert>
);

const severities: Record<PluginSignature["state"], AlertSeverity> = {
  bundled: "success",
  signed: "success",
  unsigned: "warning",
  modified: "error",
  invalid: "error",
  revoked: "error",
};

import type { PluginSignature } from "#contract/plugins.ts";
import { Alert, type AlertSeverity } from "#ui/components/ui/alert.tsx";
import { consentTexts as texts } from "./permission-texts.ts";

/** Where a package comes from, and how far that can be relied on. */
export const OriginNote = ({ signature }: { signature: PluginSignature }) => (
  <Alert severity={severities[signature.state]}>{wordsFor(signature)}</Alert>
);

const wordsFor = ({ state, claimedKeyId, publisher }: PluginSignature): string => {
  if (state === "signed") return texts.publisher.signed(publisher ?? texts.somebody);
  return texts.publisher[state === "unsigned" && claimedKeyId !== undefined ? "unknown" : state];
};

const severities: Record<PluginSignature["state"], AlertSeverity> = {
  bundled: "success",
  signed: "success",
  unsigned: "warning",
  modified: "error",
  invalid: "error",
  revoked: "error",
};

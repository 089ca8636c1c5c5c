import { originText } from "#contract/permission-texts.ts";
import type { PluginSignature, PublisherChange } from "#contract/plugins.ts";
import { Alert, type AlertSeverity } from "#ui/components/ui/alert.tsx";
import { consentTexts as texts } from "./permission-texts.ts";

type OriginNoteProps = {
  signature: PluginSignature;
  /** From whom to whom the plugin would go with it. */
  changed?: PublisherChange | null | undefined;
};

/** Where a package comes from, how far that can be relied on, and whether it came from somebody else before. */
export const OriginNote = ({ signature, changed = null }: OriginNoteProps) => (
  <>
    {changed !== null && <Alert severity="warning">{texts.publisherChanged(changed)}</Alert>}
    <Alert severity={severities[signature.state]}>{originText(signature)}</Alert>
  </>
);

const severities: Record<PluginSignature["state"], AlertSeverity> = {
  bundled: "success",
  signed: "success",
  unsigned: "warning",
  modified: "error",
  invalid: "error",
  revoked: "error",
};

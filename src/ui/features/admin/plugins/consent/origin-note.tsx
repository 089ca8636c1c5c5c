import type { PluginSignature, PublisherChange } from "#contract/plugins.ts";
import { Alert, type AlertSeverity } from "#ui/components/ui/alert.tsx";
import { consentTexts as texts } from "./permission-texts.ts";
import { publisherChangeText } from "./publisher-change-text.ts";

type OriginNoteProps = {
  signature: PluginSignature;
  /** Who signed the plugin until now, where that was somebody else. */
  changed?: PublisherChange | null | undefined;
};

/** Where a package comes from, how far that can be relied on, and whether it came from somebody else before. */
export const OriginNote = ({ signature, changed = null }: OriginNoteProps) => (
  <>
    {changed !== null && <Alert severity="warning">{publisherChangeText(changed, signature)}</Alert>}
    <Alert severity={severities[signature.state]}>{wordsFor(signature)}</Alert>
  </>
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

import type { PluginSignature, PublisherChange } from "#contract/plugins.ts";
import { consentTexts as texts } from "./permission-texts.ts";

/** Says that a package comes from somebody else than before, and what follows from that. */
export const publisherChangeText = ({ from }: PublisherChange, signature: PluginSignature): string =>
  texts.otherPublisher(from, signerOf(signature));

const signerOf = ({ state, publisher, claimedKeyId }: PluginSignature): string => {
  if (state === "signed") return texts.signedBy.somebody(publisher ?? texts.somebody);
  return claimedKeyId === undefined ? texts.signedBy.nobody : texts.signedBy.unknown;
};

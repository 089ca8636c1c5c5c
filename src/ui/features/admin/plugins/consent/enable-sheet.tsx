import { useState } from "react";
import { notify } from "#ui/lib/notices.ts";
import { consentWanted, togglePlugin, type WantedConsent } from "../api.ts";
import type { ConsentCase } from "../use-plugin-toggle.ts";
import { ConsentSheet } from "./consent-sheet.tsx";
import { consentTexts as texts } from "./permission-texts.ts";

type EnableSheetProps = ConsentCase & { onClose: () => void; onChange: () => void };

/** Asks for what a plugin has to be granted before it is enabled, and enables it. */
export const EnableSheet = ({ plugin, onClose, onChange, ...asked }: EnableSheetProps) => {
  const [{ sha256, permissions, signature }, setWanted] = useState<WantedConsent>(asked);
  const allow = async () => {
    try {
      const { message } = await togglePlugin(plugin.name, true, sha256);
      notify({ tone: "success", message });
      onClose();
      onChange();
    } catch (error) {
      // Another package came meanwhile: the list below becomes what that one asks for.
      const wanted = consentWanted(error);
      if (wanted !== null) setWanted(wanted);
      // What failed may have left its reason at the plugin, to be seen below.
      else onChange();
      throw error;
    }
  };
  return (
    <ConsentSheet
      title={texts.enableTitle(plugin.title)}
      lead={permissions.length > 0 ? texts.enableLead(plugin.title) : texts.readFirst}
      permissions={permissions}
      signature={signature}
      action={texts.allowEnable}
      fallback={texts.enableFailed}
      onAllow={allow}
      onClose={onClose}
    />
  );
};

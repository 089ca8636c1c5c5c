import { notify } from "#ui/lib/notices.ts";
import { togglePlugin } from "../api.ts";
import type { ConsentCase } from "../use-plugin-toggle.ts";
import { ConsentSheet } from "./consent-sheet.tsx";
import { consentTexts as texts } from "./permission-texts.ts";

type EnableSheetProps = ConsentCase & { onClose: () => void; onChange: () => void };

/** Asks for what a plugin has to be granted before it is enabled, and enables it. */
export const EnableSheet = ({ plugin, permissions, signature, onClose, onChange }: EnableSheetProps) => (
  <ConsentSheet
    title={texts.enableTitle(plugin.title)}
    lead={permissions.length > 0 ? texts.enableLead(plugin.title) : texts.readFirst}
    permissions={permissions}
    signature={signature}
    action={texts.allowEnable}
    fallback={texts.enableFailed}
    onAllow={async () => {
      const { message } = await togglePlugin(plugin.name, true, true);
      notify({ tone: "success", message });
      onClose();
      onChange();
    }}
    onClose={onClose}
  />
);

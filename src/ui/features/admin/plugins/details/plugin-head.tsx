import { Upload } from "lucide-react";
import type { PluginDetails, SignatureState } from "#contract/plugins.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { PageHeader } from "../../page-header.tsx";
import { PluginActions } from "../plugin-actions.tsx";
import { PluginMarks } from "../plugin-marks.tsx";
import { pluginListTexts } from "../texts.ts";
import type { PluginToggle } from "../use-plugin-toggle.ts";
import { PluginsLink } from "./plugins-link.tsx";
import { detailsTexts as texts } from "./texts.ts";

type PluginHeadProps = {
  plugin: PluginDetails;
  toggle: PluginToggle;
  onDelete: () => void;
  onUpdate: () => void;
};

/** What a plugin is called, how it stands, and what can be done about it as a whole. */
export const PluginHead = ({ plugin, toggle, onDelete, onUpdate }: PluginHeadProps) => {
  const { title, version, type, core, description, signature } = plugin;
  return (
    <div className="grid gap-3">
      <PluginsLink />
      <PageHeader
        title={title}
        lead={description}
        actions={
          <div className="flex flex-wrap items-center gap-2">
            {!core && (
              <Button variant="outline" size="sm" onClick={onUpdate}>
                <Upload aria-hidden="true" />
                {texts.update}
              </Button>
            )}
            <PluginActions plugin={plugin} toggle={toggle} onDelete={onDelete} isInline />
          </div>
        }
      />
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 justify-self-start rounded-md border border-border bg-card px-3 py-1.5 text-[0.8125rem] text-muted-foreground">
        <span>{pluginListTexts.version(version)}</span>
        <span>{type}</span>
        {core && <Badge tone="primary">{pluginListTexts.core}</Badge>}
        <PluginMarks plugin={plugin} isOn={toggle.isOn(plugin)} />
        {signature.state !== "modified" && (
          <Badge tone={tones[signature.state]}>{texts.signatures[signature.state]}</Badge>
        )}
      </div>
    </div>
  );
};

const tones = {
  bundled: "primary",
  signed: "success",
  unsigned: "warning",
  modified: "danger",
  invalid: "danger",
  revoked: "danger",
} as const satisfies Record<SignatureState, string>;

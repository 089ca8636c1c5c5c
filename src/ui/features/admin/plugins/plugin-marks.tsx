import type { Plugin } from "#contract/plugins.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { couldNotStart, hasFailed, notableState, statusOf } from "./plugin-status.ts";
import { pluginListTexts as texts } from "./texts.ts";

/** Whether a plugin is on, and what else is worth knowing of how it stands. */
export const PluginMarks = ({ plugin, isOn }: { plugin: Plugin; isOn: boolean }) => {
  const status = statusOf(plugin, isOn);
  const state = notableState(plugin);
  return (
    <span className="flex flex-wrap gap-1">
      <Badge tone={status === "enabled" ? "success" : "neutral"}>{texts.statuses[status]}</Badge>
      {state !== null && <Badge tone={hasFailed(plugin) ? "danger" : "warning"}>{texts.states[state]}</Badge>}
      {couldNotStart(plugin) && !isOn && <Badge tone="danger">{texts.couldNotStart}</Badge>}
      {plugin.signature.state === "modified" && <Badge tone="danger">{texts.modified}</Badge>}
    </span>
  );
};

/** What a plugin is made of, in words. */
export const componentsOf = ({ backendExists, frontendExists }: Plugin): string =>
  [backendExists && texts.components.backend, frontendExists && texts.components.frontend]
    .filter(Boolean)
    .join(", ") || texts.noComponents;

import type { PluginDetails } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { hasFailed } from "../plugin-status.ts";
import type { PluginToggle } from "../use-plugin-toggle.ts";
import { detailsTexts as texts } from "./texts.ts";

type PluginAlertsProps = { plugin: PluginDetails; toggle: PluginToggle; onReview: () => void };

/** What has to be decided about a plugin: one that failed, and a version that waits. */
export const PluginAlerts = ({ plugin, toggle, onReview }: PluginAlertsProps) => {
  const { state, error, pendingVersion } = plugin;
  const isBroken = hasFailed(plugin);
  return (
    <>
      {isBroken && (
        <Alert
          severity="error"
          title={state === "quarantined" ? texts.quarantined : texts.failed}
          actions={
            <Button
              variant="outline"
              size="sm"
              isBusy={toggle.isBusy(plugin)}
              onClick={() => toggle.tryAgain(plugin)}
            >
              {texts.enableAgain}
            </Button>
          }
        >
          {error ?? texts.failedText}
        </Alert>
      )}
      {pendingVersion !== null && (
        <Alert
          severity="warning"
          title={texts.pending(pendingVersion)}
          actions={
            <Button variant="outline" size="sm" aria-haspopup="dialog" onClick={onReview}>
              {texts.review}
            </Button>
          }
        >
          {/* The error of a plugin that runs is that of its waiting version. */}
          {!isBroken && error !== null ? `${error} ${texts.pendingText}` : texts.pendingText}
        </Alert>
      )}
    </>
  );
};

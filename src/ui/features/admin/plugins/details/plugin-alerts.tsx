import { Link } from "wouter";
import type { PluginDetails } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { asSentence } from "#ui/lib/as-sentence.ts";
import { consentTexts } from "../consent/permission-texts.ts";
import { couldNotStart, hasFailed } from "../plugin-status.ts";
import type { PluginToggle } from "../use-plugin-toggle.ts";
import { detailsTexts as texts } from "./texts.ts";

type PluginAlertsProps = { plugin: PluginDetails; toggle: PluginToggle; onReview: () => void };

/** What has to be decided about a plugin: one that failed, and a version that waits. */
export const PluginAlerts = ({ plugin, toggle, onReview }: PluginAlertsProps) => {
  const { name, state, error, pendingVersion, publisherChanged } = plugin;
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
      {couldNotStart(plugin) && (
        <Alert
          severity="error"
          title={texts.couldNotStart}
          actions={
            <Link
              href={`/admin/plugins/${name}?tab=log`}
              className={buttonVariants({ variant: "outline", size: "sm" })}
            >
              {texts.seeLog}
            </Link>
          }
        >
          {error}
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
          {!isBroken && error !== null && `${asSentence(error)} `}
          {publisherChanged !== null && `${consentTexts.publisherChanged(publisherChanged)} `}
          {texts.pendingText}
        </Alert>
      )}
    </>
  );
};

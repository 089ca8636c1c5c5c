import { useCallback, useRef } from "react";
import { SettingsSkeleton } from "#ui/components/page-skeleton.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { ApiError } from "#ui/lib/api.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { PageHeader } from "../page-header.tsx";
import { getOpening, LoadFailure, type Opening } from "./api.ts";
import { SettingsForm } from "./settings-form.tsx";
import { settingsPageTexts as texts } from "./texts.ts";

/** Everything that admins set of the installation, and how the external services are doing. */
export const AdminSettingsPage = () => {
  const opening = useRef<Opening | null>(null);
  // Once is enough: what comes later must take nothing from whoever is typing, so the form would not look at it.
  const load = useCallback(async () => {
    opening.current ??= await getOpening();
    return opening.current;
  }, []);
  const { data, error, isLoading, reload } = useLoad(load);
  return (
    <div className="grid gap-6">
      <PageHeader title={texts.title} lead={texts.lead} />
      {data === null && error !== null && (
        <Alert
          severity="error"
          title={error instanceof Error ? error.message : String(error)}
          actions={
            <Button variant="outline" size="sm" isBusy={isLoading} onClick={reload}>
              {texts.tryAgain}
            </Button>
          }
        >
          {reasonOf(error)}
        </Alert>
      )}
      {data === null && error === null && (
        <div aria-busy="true" className="motion-safe:animate-pulse">
          <span className="sr-only">{texts.loading}</span>
          <SettingsSkeleton />
        </div>
      )}
      {data !== null && <SettingsForm opening={data} />}
    </div>
  );
};

const reasonOf = (error: unknown): string | undefined =>
  error instanceof LoadFailure && error.cause instanceof ApiError ? error.cause.message : undefined;

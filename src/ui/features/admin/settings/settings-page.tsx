import { useCallback, useRef } from "react";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
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
      {data === null && error === null && <SettingsSkeleton />}
      {data !== null && <SettingsForm opening={data} />}
    </div>
  );
};

const reasonOf = (error: unknown): string | undefined =>
  error instanceof LoadFailure && error.cause instanceof ApiError ? error.cause.message : undefined;

const SettingsSkeleton = () => (
  <div aria-busy="true" className="grid max-w-[44rem] gap-6">
    <span className="sr-only">{texts.loading}</span>
    {["h-84", "h-126", "h-20", "h-140"].map((height) => (
      <Card key={height} className={`${height} grid content-start gap-4 p-5`}>
        <Skeleton className="h-5 w-48" />
        <Skeleton className="h-4 w-72 max-w-full" />
      </Card>
    ))}
  </div>
);

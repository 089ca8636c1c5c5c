import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { isUnreachable } from "#ui/lib/api.ts";
import { AccessError } from "../access-error.tsx";
import { activityFailure } from "./activity-failure.ts";
import { activityPageTexts as texts } from "./texts.ts";

type LoadAlertProps = {
  error: unknown;
  /** Whether what came before is on show still. */
  hasData: boolean;
  onRetry: () => void;
};

/** Stands where activities did not come: why, and another try. */
export const LoadAlert = ({ error, hasData, onRetry }: LoadAlertProps) => {
  if (hasData && isUnreachable(error)) return <AccessError error={error} hasData onRetry={onRetry} />;
  return (
    <Alert
      severity="error"
      actions={
        <Button variant="outline" size="sm" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      }
    >
      {activityFailure(error)}
    </Alert>
  );
};

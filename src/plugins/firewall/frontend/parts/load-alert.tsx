import { Alert, Button, failureText } from "@atrium/plugin-sdk/ui";
import { isUnreachable } from "../calls.ts";
import { texts } from "../texts.ts";

/** Stands where something did not come: why, and another try. */
export const LoadAlert = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Alert
    severity="error"
    actions={
      <Button variant="outline" size="sm" onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    }
  >
    {isUnreachable(error) ? texts.noAnswer : failureText(error, texts.loadFailed)}
  </Alert>
);

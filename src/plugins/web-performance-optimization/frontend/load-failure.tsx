import { Alert, Button, failureText } from "@atrium/plugin-sdk/ui";
import { texts } from "./texts.ts";

/** Says that something could not be loaded, and offers to try again. */
export const LoadFailure = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Alert
    severity="error"
    actions={
      <Button variant="outline" size="sm" onClick={onRetry}>
        {texts.retry}
      </Button>
    }
  >
    {failureText(error, texts.failed)}
  </Alert>
);

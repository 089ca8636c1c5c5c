import { Link } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { isUnreachable } from "#ui/lib/api.ts";
import { loadFailureText } from "./load-failure.ts";
import { overviewTexts as texts } from "./texts.ts";

type AccessErrorProps = {
  error: unknown;
  /** Whether what came before is on show still. */
  hasData: boolean;
  onRetry: () => void;
};

/** Stands where an admin page's data did not come: why, and the ways on; above older data only that it may be stale. */
export const AccessError = ({ error, hasData, onRetry }: AccessErrorProps) =>
  hasData && isUnreachable(error) ? (
    <Stale onRetry={onRetry} />
  ) : (
    <NoAccess error={error} onRetry={onRetry} />
  );

const Stale = ({ onRetry }: { onRetry: () => void }) => (
  <Alert
    severity="warning"
    actions={
      <Button variant="outline" size="sm" onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    }
  >
    {texts.stale}
  </Alert>
);

const NoAccess = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Alert
    severity="error"
    title={texts.accessError}
    actions={
      <>
        <Button variant="outline" size="sm" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
        <Link href="/dashboard" className={buttonVariants({ variant: "outline", size: "sm" })}>
          {texts.toDashboard}
        </Link>
      </>
    }
  >
    {loadFailureText(error)}
  </Alert>
);

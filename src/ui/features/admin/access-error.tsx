import { Link } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { ApiError, isUnreachable } from "#ui/lib/api.ts";
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

/** The sentence for an admin page whose data did not come. */
export const loadFailureText = (error: unknown): string => {
  if (error instanceof ApiError && error.status > 0) {
    return `Failed to load admin data: ${error.status} ${reasonPhrase(error.status) ?? error.message}`;
  }
  return `Error connecting to admin API: ${error instanceof Error ? error.message : String(error)}`;
};

/** The usual words for a status, `undefined` for one that is rarely seen. */
export const reasonPhrase = (status: number): string | undefined => reasons[status];

// HTTP/2 and 3 carry no reason phrase, so the usual ones are kept here. Source: RFC 9110 §15.
const reasons: Record<number, string> = {
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

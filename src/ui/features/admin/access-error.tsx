import { Link } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { loadFailureText } from "./load-failure.ts";
import { overviewTexts as texts } from "./texts.ts";

/** Stands where an admin page's data did not come: why, and the ways on. */
export const AccessError = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
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

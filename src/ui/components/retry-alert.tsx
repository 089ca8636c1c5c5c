import type { ReactNode } from "react";
import { Alert } from "./ui/alert.tsx";
import { Button } from "./ui/button.tsx";

/** Says why something did not come, and offers to ask for it again. */
export const RetryAlert = ({ onRetry, children }: { onRetry: () => void; children: ReactNode }) => (
  <Alert
    severity="error"
    actions={
      <Button variant="outline" size="sm" onClick={onRetry}>
        Try again
      </Button>
    }
  >
    {children}
  </Alert>
);

import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { frontendTexts as texts } from "./frontend-texts.ts";

type FrontendFailureProps = { title: string; reason?: string | undefined; onReload: () => void };

/** Stands where a plugin's page failed, with the way to try it again. */
export const FrontendFailure = ({ title, reason, onReload }: FrontendFailureProps) => (
  <Alert
    severity="error"
    title={texts.failed(title)}
    actions={
      <Button variant="outline" size="sm" onClick={onReload}>
        {texts.reload}
      </Button>
    }
  >
    {reason ?? texts.failedText}
  </Alert>
);

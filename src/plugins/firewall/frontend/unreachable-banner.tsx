import { Alert, Button } from "@atrium/plugin-sdk/ui";
import { texts } from "./texts.ts";

type UnreachableBannerProps = { asOf: Date; onRetry: () => void };

/** Above all sub-pages while the server does not answer: how old it is what they show, and another try. */
export const UnreachableBanner = ({ asOf, onRetry }: UnreachableBannerProps) => (
  <Alert
    severity="warning"
    actions={
      <Button variant="outline" size="sm" onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    }
  >
    {texts.unreachable(new Intl.DateTimeFormat(undefined, { timeStyle: "medium" }).format(asOf))}
  </Alert>
);

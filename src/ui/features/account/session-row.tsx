import { MonitorSmartphone } from "lucide-react";
import type { OwnSession } from "#api/modules/account/contract.ts";
import { exactTime, relativeTime } from "#contract/relative-time.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { ApiError } from "#ui/lib/api.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { shortMoment } from "#ui/lib/short-moment.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { endSession } from "./api.ts";
import { MethodRow } from "./method-row.tsx";
import { accountScreenTexts as texts } from "./texts.ts";

type SessionRowProps = { session: OwnSession; onEnded: (message: string) => void };

/** One place where the reader is signed in. The one they are looking from is left by Logout. */
export const SessionRow = ({ session, onEnded }: SessionRowProps) => {
  const { id, isCurrent, ip, device, createdAt, lastUsedAt } = session;
  const { act, isBusy, error } = useAct(async () => onEnded(await endOnce(id)));
  return (
    <MethodRow
      icon={<MonitorSmartphone aria-hidden="true" />}
      name={device}
      detail={
        <>
          {ip} ·{" "}
          <time dateTime={lastUsedAt} title={exactTime(lastUsedAt)}>
            {isCurrent ? texts.inUseNow : texts.lastUsed(relativeTime(lastUsedAt, Date.now()))}
          </time>
          <br />
          <time dateTime={createdAt} title={exactTime(createdAt)}>
            {texts.signedIn(shortMoment(createdAt))}
          </time>
        </>
      }
      state={isCurrent && <Badge tone="primary">{texts.thisDevice}</Badge>}
      action={
        !isCurrent && (
          <Button
            variant="outline"
            size="sm"
            aria-label={texts.endName(device)}
            isBusy={isBusy}
            onClick={act}
            className="max-sm:w-full"
          >
            {texts.end}
          </Button>
        )
      }
    >
      {error !== null && <Alert severity="error">{failureText(error, texts.endFailed)}</Alert>}
    </MethodRow>
  );
};

// What has ended meanwhile is what was wanted.
const endOnce = async (id: string): Promise<string> => {
  try {
    return await endSession(id);
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return texts.endedAlready;
    throw error;
  }
};

import { MonitorSmartphone } from "lucide-react";
import { useRef } from "react";
import type { OwnSession } from "#api/modules/account/contract.ts";
import { exactTime, relativeTime } from "#contract/relative-time.ts";
import { RequestButton } from "#ui/components/confirm-dialog.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { ApiError, client, failureText } from "#ui/lib/api.ts";
import { shortMoment } from "#ui/lib/moments.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccountCard, LoadedPart, MethodRow, RowsSkeleton } from "./account-card.tsx";

import { accountScreenTexts as texts } from "./texts.ts";

/** Where the reader is signed in; each place can be signed out from here, or all others together. */
export const SessionsCard = ({ sessions }: { sessions: Loaded<OwnSession[]> }) => {
  const list = useRef<HTMLUListElement>(null);
  // The row or dialog with the button that was pressed goes: the list takes the focus instead.
  const refresh = () => {
    list.current?.focus();
    sessions.reload();
  };
  return (
    <AccountCard title={texts.devices} lead={texts.sessionsLead}>
      <LoadedPart loaded={sessions} skeleton={<RowsSkeleton lines={["w-40", "w-52", "w-44"]} />}>
        {(data) => (
          <div className="grid gap-5">
            <ul
              ref={list}
              tabIndex={-1}
              aria-label={texts.sessions}
              aria-busy={sessions.isLoading}
              className="divide-y divide-border rounded-md border border-border"
            >
              {data.map((session) => (
                <SessionRow key={session.id} session={session} onEnded={refresh} />
              ))}
            </ul>
            {data.length > 1 && <EndOthers onEnded={refresh} />}
          </div>
        )}
      </LoadedPart>
    </AccountCard>
  );
};

const EndOthers = ({ onEnded }: { onEnded: () => void }) => (
  <RequestButton
    variant="outline"
    className="sm:justify-self-start"
    asks={{
      title: texts.endOthersTitle,
      question: texts.endOthersQuestion,
      action: texts.endOthersConfirm,
      fallback: texts.endFailed,
      send: () => client.account.endOtherSessions(),
      onDone: onEnded,
    }}
  >
    {texts.endOthers}
  </RequestButton>
);

type SessionRowProps = { session: OwnSession; onEnded: () => void };

/** One place where the reader is signed in. The one they are looking from is left by Logout. */
const SessionRow = ({ session, onEnded }: SessionRowProps) => {
  const { id, isCurrent, ip, device, createdAt, lastUsedAt } = session;
  const { act, isBusy, error } = useAct(async () => {
    notify({ tone: "success", message: await endOnce(id) });
    onEnded();
  });
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
            {texts.signedInAt(shortMoment(createdAt))}
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
    return (await client.account.endSession({ id })).message;
  } catch (error) {
    if (error instanceof ApiError && error.code === "NOT_FOUND") return texts.endedAlready;
    throw error;
  }
};

import { MonitorSmartphone } from "lucide-react";
import { useCallback } from "react";
import type { UserDetail } from "#api/modules/users/contract.ts";
import { userFields } from "#contract/field-marks.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { shortMoment } from "#ui/lib/moments.ts";
import { useSession } from "#ui/lib/session.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { Copyable, Facts, momentFact, SheetPart } from "../facts.tsx";
import { roleTexts } from "../texts.ts";
import { userTexts as texts, usersTexts } from "./texts.ts";
import { UserActions } from "./user-actions.tsx";
import { StatusMark, waysIn } from "./user-table.tsx";

type UserSheetProps = {
  id: string;
  onClose: () => void;
  /** Called whenever the list behind may have become stale. */
  onChange: () => void;
};

/** One user: who they are, where they are signed in, and what can be done. */
export const UserSheet = ({ id, onClose, onChange }: UserSheetProps) => {
  const session = useSession();
  const load = useCallback(async () => (await client.users.get({ user: id })).data, [id]);
  const { data: user, error, reload } = useLoad(load);
  const isOwn = session.user?.id === id;
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={user?.name ?? texts.detail}
      description={isOwn ? <Badge tone="success">{usersTexts.you}</Badge> : undefined}
    >
      {error !== null && <AccessError error={error} hasData={user !== null} onRetry={reload} />}
      {user === null && error === null && <Waiting />}
      {user !== null && (
        <div className="grid gap-7">
          <UserFacts user={user} />
          <SessionList user={user} />
          <UserActions
            user={user}
            isOwn={isOwn}
            onChanged={() => {
              reload();
              onChange();
            }}
            onDeleted={() => {
              onClose();
              onChange();
            }}
          />
        </div>
      )}
    </Sheet>
  );
};

const Waiting = () => (
  <div role="status" aria-busy="true" className="grid gap-3">
    <span className="sr-only">{usersTexts.loading}</span>
    {["a", "b", "c", "d", "e"].map((row) => (
      <Skeleton key={row} className="h-5 w-full" />
    ))}
  </div>
);

/** Who someone is, with what is worth copying; the name is the sheet's title, the sessions have their own part. */
const UserFacts = ({ user }: { user: UserDetail }) => {
  const ways = user.hasPassword ? [texts.password, ...waysIn(user)] : waysIn(user);
  return (
    <SheetPart title={texts.facts}>
      <Facts
        fields={{ ...userFields, secondFactor: { label: texts.twoFactor } }}
        contents={{
          name: null,
          email: <Copyable name={userFields.email.label} text={user.email} />,
          id: <Copyable name={userFields.id.label} text={user.id} isCode />,
          role: roleTexts[user.role],
          disabled: (
            <>
              <StatusMark isDisabled={user.disabled} />
              {!user.emailVerified && texts.unverified}
            </>
          ),
          hasPassword: ways.join(", ") || texts.noMethods,
          secondFactor: user.secondFactor ? (
            <>
              {texts.factors(user.secondFactor)} {momentFact(user.secondFactor.enabledAt)}
            </>
          ) : (
            texts.noFactor
          ),
          createdAt: momentFact(user.createdAt),
          lastSeenAt: momentFact(user.lastSeenAt) ?? usersTexts.never,
          sessions: null,
        }}
      />
    </SheetPart>
  );
};

/** Where someone is signed in, the last used first. */
const SessionList = ({ user: { sessions, sessionCount } }: { user: UserDetail }) => (
  <SheetPart title={texts.sessions(sessionCount)}>
    {sessions.length === 0 && <p className="text-muted-foreground text-sm">{texts.noSessions}</p>}
    {sessions.length > 0 && (
      <ul className="divide-y divide-border rounded-md border border-border text-sm">
        {sessions.map(({ id, ip, userAgent, device, createdAt, lastUsedAt }) => (
          <li key={id} className="flex gap-3 px-3.5 py-2.5">
            <MonitorSmartphone aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
            <div className="min-w-0">
              <p title={userAgent ?? undefined}>{device}</p>
              <p className="wrap-anywhere text-muted-foreground text-[0.8125rem]">
                {ip} · <time dateTime={lastUsedAt}>{texts.lastUsed(shortMoment(lastUsedAt))}</time>
                <br />
                <time dateTime={createdAt}>{texts.signedInAt(shortMoment(createdAt))}</time>
              </p>
            </div>
          </li>
        ))}
      </ul>
    )}
    {sessions.length < sessionCount && (
      <p className="text-muted-foreground text-[0.8125rem]">{texts.moreSessions(sessions.length)}</p>
    )}
  </SheetPart>
);

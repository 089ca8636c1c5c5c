import { useCallback } from "react";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { useSession } from "#ui/lib/session.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { SessionList } from "./session-list.tsx";
import { userTexts as texts, usersTexts } from "./texts.ts";
import { UserActions } from "./user-actions.tsx";
import { UserFacts } from "./user-facts.tsx";

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

import { MonitorSmartphone } from "lucide-react";
import type { UserDetail } from "#api/modules/users/contract.ts";
import { shortMoment } from "#ui/lib/short-moment.ts";
import { SheetPart } from "../sheet-part.tsx";
import { userTexts as texts } from "./texts.ts";

/** Where somebody is signed in, the last used first. */
export const SessionList = ({ user: { sessions, sessionCount } }: { user: UserDetail }) => (
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
                <time dateTime={createdAt}>{texts.signedIn(shortMoment(createdAt))}</time>
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

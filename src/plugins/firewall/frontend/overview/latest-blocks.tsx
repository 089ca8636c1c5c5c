import {
  Card,
  CardHeader,
  CardTitle,
  EmptyState,
  formatDateTime,
  Link,
  Skeleton,
  useLoad,
} from "@atrium/plugin-sdk/ui";
import { ShieldCheck } from "lucide-react";
import { useCallback } from "react";
import type { JournalEntry } from "../../backend/wire.ts";
import { LoadAlert } from "../parts/load-alert.tsx";
import { VerdictBadge } from "../parts/verdict-badge.tsx";
import { pathOf } from "../place.ts";
import { overviewTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";

const restingMs = 15_000;

/** The five that were stopped last. */
export const LatestBlocks = () => {
  const { api, calls } = useFirewall();
  const load = useCallback(() => calls.journal({ verdict: "blocked", limit: 5 }), [calls]);
  const { data, error, reload } = useLoad(load, restingMs);
  return (
    <Card aria-labelledby="firewall-latest" aria-busy={data === null && error === null}>
      <CardHeader>
        <CardTitle id="firewall-latest">{texts.latest}</CardTitle>
        <Link
          href={api.addressOf(pathOf("explain"))}
          className="text-[0.8125rem] text-primary underline underline-offset-2 max-md:py-2"
        >
          {texts.latestAll}
        </Link>
      </CardHeader>
      {data === null && error === null && <Skeleton className="mx-5 mb-5 h-40" />}
      {data === null && error !== null && (
        <div className="px-5 pb-5">
          <LoadAlert error={error} onRetry={reload} />
        </div>
      )}
      {data?.entries.length === 0 && (
        <EmptyState Icon={ShieldCheck} title={texts.none} text={texts.noneText} />
      )}
      {data !== null && data.entries.length > 0 && (
        <ul className="divide-y divide-border border-border border-t">
          {data.entries.map((entry) => (
            <Block key={entry.id} entry={entry} href={api.addressOf(pathOf("explain", entry.id))} />
          ))}
        </ul>
      )}
    </Card>
  );
};

const Block = ({ entry, href }: { entry: JournalEntry; href: string }) => (
  <li className="relative grid grid-cols-1 gap-0.5 px-5 py-2.5 text-[0.8125rem] hover:bg-muted/60">
    <span className="flex items-center justify-between gap-3">
      <Link
        href={href}
        title={entry.path}
        className="min-w-0 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
      >
        {entry.method} {entry.path}
      </Link>
      <VerdictBadge verdict={entry.verdict} />
    </span>
    <span className="wrap-anywhere text-muted-foreground">
      {entry.reasons[0]?.text ?? ""} · {entry.address} ·{" "}
      <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
    </span>
  </li>
);

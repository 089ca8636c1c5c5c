import { Alert, Button, ConfirmDialog, failureText, Link, RetryAlert, Skeleton } from "@atrium/plugin-sdk/ui";
import { type ReactNode, useState } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { RulesTrouble } from "../backend/wire.ts";
import { AddressesPage } from "./addresses/addresses-page.tsx";
import { AttacksPage } from "./attacks/attacks-page.tsx";
import { BansPage } from "./bans/bans-page.tsx";
import { isShutOut, isUnreachable } from "./calls.ts";
import { CountriesPage } from "./countries/countries-page.tsx";
import { ExplainPage } from "./explain/explain-page.tsx";
import { FirewallTabs } from "./firewall-tabs.tsx";
import { HistoryPage } from "./history-page.tsx";
import { OverviewPage } from "./overview/overview-page.tsx";
import { PendingBanner } from "./pending-banner.tsx";
import { readPlace, type SubPage } from "./place.ts";
import { RatesPage } from "./rates/rates-page.tsx";
import { type ReplayControl, useReplay } from "./replay/replay.ts";
import { ReplayPage } from "./replay/replay-page.tsx";
import { texts, troubleTexts } from "./texts.ts";
import { TrafficPage } from "./traffic/traffic-page.tsx";
import { FirewallContext, useConfig, useFirewall } from "./use-firewall.ts";

/** The firewall's page: what concerns all of it, and the sub-page of the address. */
export const FirewallPage = ({ api }: { api: WindowApi }) => {
  const { calls, config, asOf, error, refresh } = useConfig(api);
  const ask = () => void refresh().catch(() => undefined);
  const replay = useReplay(calls);
  const place = readPlace(api.path);
  return (
    <div className="grid grid-cols-1 gap-5">
      <FirewallTabs api={api} page={place?.page ?? null} />
      {config === null && error === null && <Waiting />}
      {config === null && error !== null && <RetryAlert onRetry={ask}>{whyAbsent(error)}</RetryAlert>}
      {config !== null && (
        <FirewallContext value={{ api, calls, config, refresh }}>
          {error !== null && isUnreachable(error) && <UnreachableBanner asOf={asOf} onRetry={ask} />}
          <PendingBanner isShutOut={error !== null && isShutOut(error)} />
          {config.trouble !== null && <TroubleBanner trouble={config.trouble} />}
          {place === null ? <Nowhere api={api} /> : subPages[place.page]({ id: place.id, replay })}
        </FirewallContext>
      )}
    </div>
  );
};

const whyAbsent = (error: unknown): string => {
  if (isUnreachable(error)) return texts.noAnswer;
  return isShutOut(error) ? texts.shutOut : failureText(error, texts.loadFailed);
};

type SubPageProps = { id: string | null; replay: ReplayControl };

const subPages: Record<SubPage, (props: SubPageProps) => ReactNode> = {
  overview: () => <OverviewPage />,
  traffic: () => <TrafficPage />,
  addresses: () => <AddressesPage />,
  countries: () => <CountriesPage />,
  rates: () => <RatesPage />,
  attacks: () => <AttacksPage />,
  bans: () => <BansPage />,
  history: () => <HistoryPage />,
  replay: ({ replay }) => <ReplayPage replay={replay} />,
  explain: ({ id }) => <ExplainPage id={id} />,
};

const Nowhere = ({ api }: { api: WindowApi }) => (
  <Alert severity="warning">
    {texts.nowhere}{" "}
    <Link href={api.addressOf("")} className="font-medium underline underline-offset-2">
      {texts.toOverview}
    </Link>
  </Alert>
);

const Waiting = () => (
  <div aria-busy="true" className="grid gap-4">
    <span className="sr-only">{texts.loading}</span>
    <Skeleton className="h-24 w-full" />
    <Skeleton className="h-64 w-full" />
  </div>
);

type UnreachableBannerProps = { asOf: Date; onRetry: () => void };

/** Above all sub-pages while the server does not answer: how old it is what they show, and another try. */
const UnreachableBanner = ({ asOf, onRetry }: UnreachableBannerProps) => (
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

/** Says what is wrong with the stored rules, what is in force meanwhile, and what to do. */
const TroubleBanner = ({ trouble }: { trouble: RulesTrouble }) => {
  const { calls, refresh } = useFirewall();
  const [isAsking, setIsAsking] = useState(false);
  const { kind, message, inForce } = trouble;
  const restore = async () => {
    await calls.restoreRules();
    await refresh();
    setIsAsking(false);
  };
  return (
    <>
      <Alert
        severity="error"
        title={troubleTexts.title[kind]}
        actions={
          kind === "unreadable" && (
            <Button variant="outline" size="sm" onClick={() => setIsAsking(true)}>
              {troubleTexts.restore}
            </Button>
          )
        }
      >
        <p>{message}</p>
        <p>
          {troubleTexts.inForce[inForce]} {troubleTexts.remedy[kind]}
        </p>
      </Alert>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={troubleTexts.question}
        question={troubleTexts.questionText}
        action={troubleTexts.restore}
        fallback={troubleTexts.restoreFailed}
        onConfirm={restore}
      />
    </>
  );
};

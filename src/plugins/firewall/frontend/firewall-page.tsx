import { Alert, Button, failureText, Link, Skeleton } from "@atrium/plugin-sdk/ui";
import type { ReactNode } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import { AddressesPage } from "./addresses/addresses-page.tsx";
import { AttacksPage } from "./attacks/attacks-page.tsx";
import { BansPage } from "./bans/bans-page.tsx";
import { isShutOut, isUnreachable } from "./calls.ts";
import { CountriesPage } from "./countries/countries-page.tsx";
import { ExplainPage } from "./explain/explain-page.tsx";
import { FirewallTabs } from "./firewall-tabs.tsx";
import { OverviewPage } from "./overview/overview-page.tsx";
import { PendingBanner } from "./pending/pending-banner.tsx";
import { type Place, readPlace } from "./place.ts";
import { RatesPage } from "./rates/rates-page.tsx";
import { ReplayPage } from "./replay/replay-page.tsx";
import { useReplay } from "./replay/use-replay.ts";
import { texts } from "./texts.ts";
import { TrafficPage } from "./traffic/traffic-page.tsx";
import { TroubleBanner } from "./trouble-banner.tsx";
import { UnreachableBanner } from "./unreachable-banner.tsx";
import { FirewallContext, useConfig } from "./use-firewall.ts";

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
      {config === null && error !== null && (
        <Alert
          severity="error"
          actions={
            <Button variant="outline" size="sm" onClick={ask}>
              {texts.tryAgain}
            </Button>
          }
        >
          {whyAbsent(error)}
        </Alert>
      )}
      {config !== null && (
        <FirewallContext value={{ api, calls, config, refresh }}>
          {error !== null && isUnreachable(error) && <UnreachableBanner asOf={asOf} onRetry={ask} />}
          <PendingBanner isShutOut={error !== null && isShutOut(error)} />
          {config.trouble !== null && <TroubleBanner trouble={config.trouble} />}
          {place === null ? <Nowhere api={api} /> : subPage(place, replay)}
        </FirewallContext>
      )}
    </div>
  );
};

const whyAbsent = (error: unknown): string => {
  if (isUnreachable(error)) return texts.noAnswer;
  return isShutOut(error) ? texts.shutOut : failureText(error, texts.loadFailed);
};

const subPage = ({ page, id }: Place, replay: ReturnType<typeof useReplay>): ReactNode => {
  switch (page) {
    case "overview":
      return <OverviewPage />;
    case "traffic":
      return <TrafficPage />;
    case "addresses":
      return <AddressesPage />;
    case "countries":
      return <CountriesPage />;
    case "rates":
      return <RatesPage />;
    case "attacks":
      return <AttacksPage />;
    case "bans":
      return <BansPage />;
    case "replay":
      return <ReplayPage replay={replay} />;
    case "explain":
      return <ExplainPage id={id} />;
  }
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

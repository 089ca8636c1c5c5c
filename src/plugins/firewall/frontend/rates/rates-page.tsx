import { Alert, Button, Card, EmptyState, formatCount, Link } from "@atrium/plugin-sdk/ui";
import { Gauge, Plus } from "lucide-react";
import { useCallback, useState } from "react";
import type { RateRule } from "../../backend/wire.ts";
import { ListSkeleton } from "../parts/list-skeleton.tsx";
import { LoadAlert } from "../parts/load-alert.tsx";
import { rateTexts as texts } from "../rule-texts.ts";
import { useFirewall, useRuleLoad } from "../use-firewall.ts";
import { RateDialog } from "./rate-dialog.tsx";
import { RateTable } from "./rate-table.tsx";

type Opened = { rule?: RateRule };

/** How often things may be asked for. */
export const RatesPage = () => {
  const { api, calls } = useFirewall();
  const load = useCallback(() => calls.rates(), [calls]);
  const { data, error, reload } = useRuleLoad(load);
  const [opened, setOpened] = useState<Opened | null>(null);
  const isFull = data !== null && data.rules.length >= data.most;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-2xl text-muted-foreground text-sm">{texts.lead}</p>
        <Button disabled={data === null || isFull} onClick={() => setOpened({})}>
          <Plus aria-hidden="true" />
          {texts.add}
        </Button>
      </div>
      {isFull && <Alert severity="info">{texts.full(formatCount(data.most))}</Alert>}
      {data?.isCounting === false && (
        <Alert severity="info" title={texts.notCounting}>
          {texts.notCountingText}{" "}
          <Link href={api.addressOf("")} className="font-medium underline underline-offset-2">
            {texts.toOverview}
          </Link>
        </Alert>
      )}
      {data === null && error === null && <ListSkeleton label={texts.loading} />}
      {error !== null && <LoadAlert error={error} onRetry={reload} />}
      {data !== null && (
        <Card className="overflow-clip">
          {data.rules.length === 0 ? (
            <EmptyState Icon={Gauge} title={texts.none} text={texts.noneText} />
          ) : (
            <RateTable rules={data.rules} onOpen={(rule) => setOpened({ rule })} />
          )}
        </Card>
      )}
      {opened !== null && <RateDialog {...opened} onClose={() => setOpened(null)} />}
    </div>
  );
};

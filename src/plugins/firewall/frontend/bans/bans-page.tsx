import {
  Alert,
  Button,
  Card,
  ConfirmDialog,
  EmptyState,
  formatCount,
  ListPager,
  useSearchParams,
} from "@atrium/plugin-sdk/ui";
import { Ban, UserRoundX } from "lucide-react";
import { useCallback, useState } from "react";
import { pageSize, readPage } from "../addresses/address-query.ts";
import { ListSkeleton } from "../parts/list-skeleton.tsx";
import { LoadAlert } from "../parts/load-alert.tsx";
import { SearchField } from "../parts/search-field.tsx";
import { useRowActions } from "../parts/use-row-actions.ts";
import { banTexts as texts } from "../rule-texts.ts";
import { useFirewall, useRuleLoad, useSaver } from "../use-firewall.ts";
import { BanDialog } from "./ban-dialog.tsx";
import { BanSettings } from "./ban-settings.tsx";
import { BanTable } from "./ban-table.tsx";

const restingMs = 15_000;

/** Who is kept out for a time, and after what. */
export const BansPage = () => {
  const { api, calls } = useFirewall();
  const save = useSaver();
  const rows = useRowActions();
  const [params, setParams] = useSearchParams();
  const search = params.get("search") ?? "";
  const page = readPage(params);
  const load = useCallback(
    () => calls.bans({ search, limit: pageSize, offset: (page - 1) * pageSize }),
    [calls, search, page],
  );
  const { data, error, isLoading, reload } = useRuleLoad(load, restingMs);
  const [opened, setOpened] = useState<"add" | "lift-all" | null>(null);
  const close = () => setOpened(null);
  const show = (query: Record<string, string>) => setParams(new URLSearchParams(query), { replace: true });
  const total = data?.pagination.total ?? 0;
  const lift = (address: string) =>
    rows.act(address, async () => {
      await save(() => calls.liftBan(address));
      api.notify(texts.lifted(address));
      reload();
    });
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="max-w-2xl text-muted-foreground text-sm">{texts.lead}</p>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="w-full sm:w-80">
          <SearchField
            search={search}
            hint={texts.searchHint}
            onSearch={(text) => show(text === "" ? {} : { search: text })}
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpened("add")}>
            <Ban aria-hidden="true" />
            {texts.add}
          </Button>
          <Button variant="outline" disabled={total === 0} onClick={() => setOpened("lift-all")}>
            {texts.liftAll}
          </Button>
        </div>
      </div>
      {rows.failure !== null && (
        <Alert severity="error" onClose={rows.dismiss}>
          {rows.failure}
        </Alert>
      )}
      {data === null && error === null && <ListSkeleton label={texts.loading} />}
      {error !== null && <LoadAlert error={error} onRetry={reload} />}
      {data !== null && (
        <Card aria-busy={isLoading} className="overflow-clip">
          {data.bans.length === 0 ? (
            <EmptyState
              Icon={UserRoundX}
              title={search === "" ? texts.none : texts.noMatch}
              text={search === "" ? texts.noneText : texts.noMatchText}
            />
          ) : (
            <BanTable bans={data.bans} busy={rows.busy} onLift={lift} />
          )}
          {total > 0 && (
            <ListPager
              {...data.pagination}
              rows={data.bans.length}
              page={page}
              onPage={(next) => show({ ...(search !== "" && { search }), page: String(next) })}
            />
          )}
        </Card>
      )}
      <BanSettings />
      {opened === "add" && (
        <BanDialog
          onClose={() => {
            close();
            reload();
          }}
        />
      )}
      <ConfirmDialog
        open={opened === "lift-all"}
        onClose={close}
        title={texts.liftAllQuestion(formatCount(total), total === 1)}
        question={texts.liftAllText}
        action={texts.liftAll}
        fallback={texts.liftAllFailed}
        onConfirm={async () => {
          await save(() => calls.liftAllBans());
          api.notify(texts.liftedAll);
          close();
          reload();
        }}
      />
    </div>
  );
};

import { Button, Card, cn, EmptyState, ListPager, useSearchParams } from "@atrium/plugin-sdk/ui";
import { Network } from "lucide-react";
import { useCallback, useState } from "react";
import type { AddressEntry } from "../../backend/wire.ts";
import { ListSkeleton } from "../parts/list-skeleton.tsx";
import { LoadAlert } from "../parts/load-alert.tsx";
import { addressTexts as texts } from "../rule-texts.ts";
import { useFirewall, useRuleLoad } from "../use-firewall.ts";
import { AddressDialog } from "./address-dialog.tsx";
import { type AddressQuery, pageSize, readQuery, writeQuery } from "./address-query.ts";
import { AddressTable } from "./address-table.tsx";
import { AddressToolbar } from "./address-toolbar.tsx";
import { ChosenBar } from "./chosen-bar.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { useDeletion } from "./use-deletion.ts";

type Opened = { what: "add" } | { what: "import" } | { what: "edit"; entry: AddressEntry };

/** Whom the firewall always lets in, and whom it keeps out. */
export const AddressesPage = () => {
  const { calls } = useFirewall();
  const [params, setParams] = useSearchParams();
  const query = readQuery(params);
  const { kind, search, sort, page } = query;
  const load = useCallback(
    () => calls.addresses({ kind, search, sort, limit: pageSize, offset: (page - 1) * pageSize }),
    [calls, kind, search, sort, page],
  );
  const { data, error, isLoading, reload } = useRuleLoad(load);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const change = (more: Partial<AddressQuery>) => {
    setChosen(new Set());
    setParams((now) => writeQuery({ ...readQuery(now), page: 1, ...more }), { replace: true });
  };
  const deletion = useDeletion(() => setChosen(new Set()));
  const entries = data?.entries ?? [];
  const close = () => setOpened(null);
  const isNarrowed = kind !== null || search !== "";
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="max-w-3xl text-muted-foreground text-sm">{texts.lead}</p>
      <AddressToolbar
        query={query}
        onChange={change}
        onAdd={() => setOpened({ what: "add" })}
        onImport={() => setOpened({ what: "import" })}
      />
      <ChosenBar
        entries={entries.filter(({ id }) => chosen.has(id))}
        deletion={deletion}
        onNone={() => setChosen(new Set())}
      />
      {data === null && error === null && <ListSkeleton label={texts.loading} />}
      {error !== null && <LoadAlert error={error} onRetry={reload} />}
      {data !== null && (
        <Card
          aria-busy={isLoading}
          className={cn("overflow-clip", isLoading && "opacity-70 transition-opacity delay-200")}
        >
          {entries.length === 0 ? (
            <EmptyState
              Icon={Network}
              title={isNarrowed ? texts.noMatch : texts.none}
              text={isNarrowed ? texts.noMatchText : texts.noneText}
            >
              <Button
                variant="outline"
                size="sm"
                className="mt-4"
                onClick={() => (isNarrowed ? change({ kind: null, search: "" }) : setOpened({ what: "add" }))}
              >
                {isNarrowed ? texts.showAll : texts.add}
              </Button>
            </EmptyState>
          ) : (
            <AddressTable
              entries={entries}
              chosen={chosen}
              onChoose={setChosen}
              onOpen={(entry) => setOpened({ what: "edit", entry })}
            />
          )}
          {data.pagination.total > 0 && (
            <ListPager
              {...data.pagination}
              rows={entries.length}
              page={page}
              onPage={(next) => change({ page: next })}
            />
          )}
        </Card>
      )}
      {opened?.what === "add" && <AddressDialog start={kind === null ? {} : { kind }} onClose={close} />}
      {opened?.what === "edit" && <AddressDialog entry={opened.entry} onClose={close} />}
      {opened?.what === "import" && <ImportDialog onClose={close} />}
    </div>
  );
};

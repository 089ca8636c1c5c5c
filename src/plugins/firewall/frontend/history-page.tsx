import { Alert, Button, cn, formatDateTime } from "@atrium/plugin-sdk/ui";
import { History, Undo2 } from "lucide-react";
import { useCallback } from "react";
import type { HistoryChange } from "../backend/wire.ts";
import { type Column, Listed, RowList } from "./parts/lists.tsx";
import { withLocalTimes } from "./parts/requests.tsx";
import { useRowActions } from "./parts/use-row-actions.ts";
import { historyTexts as texts } from "./texts.ts";
import { useFirewall, useRuleLoad, useSaver } from "./use-firewall.ts";

/** Who changed what, newest first; each change can be reverted, and so can that. */
export const HistoryPage = () => {
  const { api, calls } = useFirewall();
  const save = useSaver();
  const { busy, failure, dismiss, act } = useRowActions();
  const loaded = useRuleLoad(useCallback(() => calls.history(), [calls]));
  const revert = ({ id }: HistoryChange) =>
    act(String(id), async () => {
      await save(() => calls.revertChange(id));
      api.notify(texts.reverted(id));
      loaded.reload();
    });
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="max-w-3xl text-muted-foreground text-sm">{texts.lead}</p>
      {failure !== null && (
        <Alert severity="error" onClose={dismiss}>
          {failure}
        </Alert>
      )}
      <Listed of={loaded} label={texts.loading}>
        {({ changes }) => (
          <RowList
            label={texts.table}
            columns={[...columns, revertColumn(busy, revert)]}
            rows={changes}
            keyOf={({ id }) => id}
            empty={{ Icon: History, words: texts }}
          />
        )}
      </Listed>
    </div>
  );
};

const muted = "text-muted-foreground";
const columns: Column<HistoryChange>[] = [
  { name: texts.columns.id, ...{ from: "sm", look: muted }, cell: ({ id }) => `#${id}` },
  {
    name: texts.columns.what,
    ...{ isHeading: true, look: "max-sm:pl-4" },
    cell: ({ what }) => what,
    below: ({ lines }) => (
      <ul className="grid font-normal text-[0.8125rem]">
        {lines.map((line) => (
          <li key={line} className="wrap-anywhere">
            {withLocalTimes(line)}
          </li>
        ))}
      </ul>
    ),
  },
  {
    name: texts.columns.by,
    ...{ from: "md", folds: true, look: cn("max-w-40 truncate", muted) },
    cell: ({ by }) => by,
  },
  {
    name: texts.columns.time,
    ...{ from: "md", folds: true, look: muted },
    cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
  },
];

const revertColumn = (
  busy: string | null,
  onRevert: (change: HistoryChange) => void,
): Column<HistoryChange> => ({
  name: texts.columns.act,
  look: "text-right",
  cell: (change) =>
    change.canRevert ? (
      <Button
        variant="outline"
        size="sm"
        isBusy={busy === String(change.id)}
        aria-label={texts.revertOne(change.id)}
        onClick={() => onRevert(change)}
      >
        <Undo2 aria-hidden="true" />
        <span className="max-sm:sr-only">{texts.revert}</span>
      </Button>
    ) : (
      <span
        className={cn("text-[0.8125rem]", muted)}
        title={change.isWhole ? texts.changedText : texts.notWholeText}
      >
        {change.isWhole ? texts.changed : texts.notWhole}
      </span>
    ),
});

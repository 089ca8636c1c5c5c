import { Undo2 } from "lucide-react";
import type { SettingsChange } from "#api/modules/settings/contract.ts";
import type { ChangedField } from "#contract/settings.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { failureText } from "#ui/lib/failure-text.ts";
import { shortMoment } from "#ui/lib/short-moment.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { formatDateTime } from "../format.ts";
import { changedValue, fieldName, historyTexts as texts } from "./history-texts.ts";

type HistoryRowProps = { change: SettingsChange; onRevert: () => Promise<void> };

/** One saving: who, when, each field before and after, and the way to take it back or why there is none. */
export const HistoryRow = ({ change, onRevert }: HistoryRowProps) => {
  const { id, at, by, section, fields, reverts, canRevert } = change;
  const { act, isBusy, error } = useAct(onRevert);
  return (
    <li className="grid gap-2.5 px-5 py-4">
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="wrap-anywhere font-medium text-sm">
            {texts.sections[section]} {texts.by(by)}
          </p>
          <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
            #{id} ·{" "}
            <time dateTime={at} title={formatDateTime(at)}>
              {shortMoment(at)}
            </time>
            {reverts !== null && ` · ${texts.reverts(reverts)}`}
          </p>
        </div>
        {canRevert && (
          <Button variant="outline" size="sm" isBusy={isBusy} onClick={act}>
            {!isBusy && <Undo2 aria-hidden="true" />}
            <span>
              {texts.revert}
              <span className="sr-only"> {texts.change(id)}</span>
            </span>
          </Button>
        )}
      </div>
      <ul className="grid gap-1.5 text-[0.8125rem]">
        {fields.map((field) => (
          <li key={field.path} className="grid gap-x-4 sm:grid-cols-[10rem_1fr]">
            <span className="text-muted-foreground">{fieldName(section, field.path)}</span>
            <FieldChange section={section} field={field} />
          </li>
        ))}
      </ul>
      {!canRevert && (
        <p className="text-[0.8125rem] text-muted-foreground">
          {fields.every(({ isSecret }) => isSecret) ? texts.cannotSecret : texts.cannotOlder}
        </p>
      )}
      {error !== null && (
        <p role="alert" className="text-[0.8125rem] text-destructive">
          {failureText(error, texts.revertFailed)}
        </p>
      )}
    </li>
  );
};

const FieldChange = ({ section, field }: Pick<SettingsChange, "section"> & { field: ChangedField }) => {
  if (field.isSecret) return <span>{texts.deeds[field.deed]}</span>;
  return (
    <span className="wrap-anywhere min-w-0">
      <span className="sr-only">{texts.before} </span>
      <span className="text-muted-foreground">{changedValue(section, field.path, field.before)}</span>
      <span aria-hidden="true" className="text-muted-foreground">
        {" → "}
      </span>
      <span className="sr-only">, {texts.after} </span>
      <span>{changedValue(section, field.path, field.after)}</span>
    </span>
  );
};

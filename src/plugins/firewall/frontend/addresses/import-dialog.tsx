import { Alert, Badge, Button, Dialog, Field, formatCount, Textarea } from "@atrium/plugin-sdk/ui";
import { type ChangeEvent, useState } from "react";
import type { ImportData, ImportLine } from "../../backend/wire.ts";
import { saveFailure } from "../calls.ts";
import { ChoiceField } from "../parts/forms.tsx";
import { type Column, RowTable } from "../parts/lists.tsx";
import { importTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";
import { formatOf } from "./address-query.ts";

// What the host passes on is 1 MB at most, and JSON writes some characters longer.
const mostLength = 900_000;

type Outcome = { report: ImportData; isTrial: boolean };

/** Brings entries in from a file or text: looked through at first, with a word on each line, and then saved. */
export const ImportDialog = ({ onClose }: { onClose: () => void }) => {
  const { calls } = useFirewall();
  const save = useSaver();
  const [text, setText] = useState("");
  const [format, setFormat] = useState<"csv" | "json">("csv");
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [complaint, setComplaint] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const take = (next: string, name = "") => {
    setText(next);
    setFormat(formatOf(next, name) ?? format);
    setOutcome(null);
    setComplaint(null);
  };
  const takeFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    if (file === undefined) return;
    if (file.size > mostLength) return setComplaint(texts.tooLong);
    try {
      take(await file.text(), file.name);
    } catch {
      // It was moved or may not be read; it can be chosen again.
      setComplaint(texts.unreadable);
    }
  };
  const send = async (isTrial: boolean) => {
    if (text.trim() === "") return setComplaint(texts.missing);
    if (text.length > mostLength) return setComplaint(texts.tooLong);
    setIsBusy(true);
    setFailure(null);
    try {
      const call = () => calls.importAddresses({ format, text, isTrial });
      setOutcome({ report: isTrial ? await call() : await save(call), isTrial });
    } catch (error) {
      // What was promised before does not hold.
      setOutcome(null);
      setFailure(saveFailure(error));
    } finally {
      setIsBusy(false);
    }
  };
  const isDone = outcome !== null && !outcome.isTrial;
  const canImport = outcome?.isTrial === true && outcome.report.obstacle === null && outcome.report.added > 0;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.title}
      description={texts.lead}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            {isDone ? common.close : common.cancel}
          </Button>
          {!isDone && (
            <Button
              variant={canImport ? "outline" : "default"}
              isBusy={isBusy && !canImport}
              onClick={() => void send(true)}
            >
              {outcome === null ? texts.check : texts.again}
            </Button>
          )}
          {canImport && (
            <Button isBusy={isBusy} onClick={() => void send(false)}>
              {texts.run}
            </Button>
          )}
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        {failure !== null && <Alert severity="error">{failure}</Alert>}
        {!isDone && (
          <>
            <Field label={texts.file}>
              <FileInput onChange={(event) => void takeFile(event)} />
            </Field>
            <Field label={texts.text} error={complaint}>
              <Textarea
                rows={5}
                value={text}
                spellCheck={false}
                autoComplete="off"
                className="font-mono text-[0.8125rem]"
                onChange={(event) => take(event.target.value)}
              />
            </Field>
            <ChoiceField
              label={texts.format}
              names={texts.formats}
              value={format}
              onChoose={(choice) => {
                setFormat(choice ?? "csv");
                setOutcome(null);
              }}
            />
          </>
        )}
        {outcome !== null && (
          <>
            <Alert severity={outcome.report.refused > 0 ? "warning" : "success"}>
              {outcome.report.obstacle ?? sentence(outcome)}
            </Alert>
            {outcome.report.lines.length > 0 && (
              <div className="max-h-64 overflow-auto rounded-md border border-border">
                <RowTable
                  label={texts.report}
                  columns={columnsOf(outcome)}
                  rows={outcome.report.lines}
                  keyOf={({ line }) => line}
                  className="text-[0.8125rem]"
                />
              </div>
            )}
          </>
        )}
      </div>
    </Dialog>
  );
};

const sentence = ({ report: { added, known, refused }, isTrial }: Outcome) =>
  (isTrial ? texts.would : texts.did)(formatCount(added), formatCount(known), formatCount(refused));

const tones = { added: "success", known: "neutral", refused: "danger" } as const;

const columnsOf = ({ report, isTrial }: Outcome): Column<ImportLine>[] => [
  { name: texts.columns.line, cell: ({ line }) => line },
  {
    name: texts.columns.outcome,
    cell: ({ outcome, message }) => (
      <span title={message}>
        <Badge tone={tones[outcome]}>{(isTrial ? texts.trialOutcomes : texts.outcomes)[outcome]}</Badge>
      </span>
    ),
  },
  {
    name: report.refused > 0 ? texts.columns.problem : texts.columns.range,
    isHeading: true,
    cell: ({ range }) => <span className="font-mono font-normal">{range}</span>,
    // One below the other: a dialog has no room for both side by side.
    below: ({ outcome, message }) =>
      outcome === "refused" && <span className="block font-normal text-destructive">{message}</span>,
  },
];

const FileInput = ({ onChange }: { onChange: (event: ChangeEvent<HTMLInputElement>) => void }) => (
  <input
    type="file"
    aria-label={texts.file}
    accept=".csv,.json,text/csv,application/json"
    onChange={onChange}
    className="min-h-11 w-full min-w-0 cursor-pointer text-sm file:mr-3 file:h-11 file:cursor-pointer file:rounded-md file:border file:border-border file:bg-card file:px-3 file:font-medium md:min-h-9 md:file:h-9"
  />
);

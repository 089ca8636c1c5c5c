import {
  Alert,
  Badge,
  Button,
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  ConfirmDialog,
  cn,
  EmptyState,
  formatCount,
  formatDateTime,
} from "@atrium/plugin-sdk/ui";
import { CircleCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Proposal, ReplayData, ReplayRow } from "../../backend/wire.ts";
import { ProposalList } from "../attacks/exemptions.tsx";
import { saveFailure } from "../calls.ts";
import { type Column, RowTable } from "../parts/lists.tsx";
import { originOf } from "../parts/requests.tsx";
import { replayTexts as texts } from "../rule-texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";
import { draftParts, type ReplayControl, switchOn } from "./replay.ts";

type ReplayResultProps = {
  replay: ReplayControl;
  data: ReplayData;
  /** Whether the draft is another one by now. */
  isOld: boolean;
};

/** What the draft would do: while it is looked, how far that is, and then in numbers and row by row. */
export const ReplayResult = ({ replay, data, isOld }: ReplayResultProps) => {
  const [isAsking, setIsAsking] = useState(false);
  const { state } = data;
  const isRunning = state === "running";
  const isDone = state === "done";
  const card = useRef<HTMLElement>(null);
  // The draft above may be longer than the window.
  useEffect(() => card.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <Card ref={card} aria-labelledby="firewall-replay" aria-busy={isRunning} className="scroll-mb-4">
      <CardHeader className="flex-wrap">
        <div className="flex flex-wrap items-center gap-2">
          <CardTitle id="firewall-replay">{texts.result}</CardTitle>
          <Badge tone={isDone ? "success" : "neutral"}>{texts.states[state]}</Badge>
        </div>
        {isDone && !isOld && (
          <Button size="sm" onClick={() => setIsAsking(true)}>
            {texts.switchOn}
          </Button>
        )}
      </CardHeader>
      <CardContent className="grid grid-cols-1 gap-5">
        {isRunning && <Progress data={data} onCancel={replay.cancel} />}
        {isOld && <Alert severity="info">{texts.old}</Alert>}
        {state === "cancelled" && <Alert severity="info">{texts.cancelled}</Alert>}
        {state === "failed" && <Alert severity="error">{texts.failedRun}</Alert>}
        {!isRunning && <Sample data={data} />}
        {!isRunning && <Numbers data={data} />}
        {data.byAdmins > 0 && (
          <Alert severity="warning">
            {texts.adminsWarning(formatCount(data.byAdmins), data.byAdmins === 1)}
          </Alert>
        )}
        {data.notes.length > 0 && !isRunning && (
          <div className="text-[0.8125rem] text-muted-foreground">
            <p className="font-medium text-foreground">{texts.notes}</p>
            <ul className="grid list-disc pl-5">
              {data.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </div>
        )}
      </CardContent>
      <div className="px-5 pb-5 empty:hidden">
        <Proposals data={data} />
      </div>
      {data.rows.length > 0 && <NewlyBlocked rows={data.rows} total={data.newlyBlocked} />}
      {isDone && data.kept > 0 && data.rows.length === 0 && (
        <div className="border-border border-t">
          <EmptyState Icon={CircleCheck} title={texts.none} text={texts.noneText} />
        </div>
      )}
      {isAsking && (
        <SwitchOnQuestion
          replay={replay}
          newlyBlocked={data.newlyBlocked}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Card>
  );
};

const Progress = ({ data, onCancel }: { data: ReplayData; onCancel: () => void }) => {
  const { looked, kept } = data;
  const words = texts.progress(formatCount(looked), formatCount(kept));
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="grid min-w-48 grow gap-1">
        <progress
          aria-label={texts.running}
          value={looked}
          max={Math.max(1, kept)}
          className="h-2 w-full accent-primary"
        />
        <p className="text-[0.8125rem] text-muted-foreground tabular-nums">{words}</p>
      </div>
      <Button variant="outline" size="sm" onClick={onCancel}>
        {texts.cancel}
      </Button>
    </div>
  );
};

const Sample = ({ data: { kept, seen, since } }: { data: ReplayData }) => {
  if (kept === 0) return <p className="text-sm">{texts.nothingKept}</p>;
  const which =
    seen > kept ? texts.sample(formatCount(kept), formatCount(seen)) : texts.whole(formatCount(kept));
  return (
    <p className="text-[0.8125rem] text-muted-foreground">
      {which}
      {since === null ? "." : texts.since(formatDateTime(since))}
    </p>
  );
};

const Numbers = ({ data }: { data: ReplayData }) => (
  <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
    {(["newlyBlocked", "byAdmins", "newlyPassed", "blockedNow", "blockedByDraft"] as const).map((name) => (
      <div key={name} className="grid content-start">
        <dt className="text-[0.8125rem] text-muted-foreground">{texts.numbers[name]}</dt>
        <dd
          className={cn(
            "font-semibold text-xl tabular-nums leading-8",
            name === "newlyBlocked" && data.newlyBlocked > 0 && "text-destructive",
          )}
        >
          {formatCount(data[name])}
        </dd>
      </div>
    ))}
  </dl>
);

/** Exemptions with which what the draft would stop passes; without those that were accepted meanwhile. */
const Proposals = ({ data: { id: replay, proposals } }: { data: ReplayData }) => {
  const { calls } = useFirewall();
  const save = useSaver();
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const accept = async ({ id }: Proposal) => {
    await save(() => calls.acceptProposal(id, replay));
    setAccepted((known) => [...known, id]);
  };
  return (
    <ProposalList
      lead={texts.proposalsLead}
      // What passed is written down nowhere.
      proposals={proposals.flatMap((one) => (accepted.includes(one.id) ? [] : [{ ...one, examples: [] }]))}
      accept={accept}
    />
  );
};

const muted = "text-muted-foreground";
const columns: Column<ReplayRow>[] = [
  {
    name: texts.columns.request,
    isHeading: true,
    titleOf: ({ path }) => path,
    cell: ({ method, path, query }) => (
      <>
        <span className={muted}>{method}</span> {path}
        {query !== "" && <span className={cn("font-normal", muted)}>?{query}</span>}
      </>
    ),
    below: ({ reasons }) => <span className="wrap-anywhere block font-normal">{reasons.join("; ")}</span>,
  },
  {
    name: texts.columns.who,
    cell: ({ role, isOwn, user }) => (
      <span className="flex flex-wrap items-center gap-1.5">
        {(isOwn || role === "admin") && <Badge tone="warning">{isOwn ? texts.own : texts.admin}</Badge>}
        <span className={cn("max-w-32 truncate", muted)}>{user ?? "–"}</span>
      </span>
    ),
  },
  { name: texts.columns.address, ...{ from: "lg", folds: true, look: muted }, cell: originOf },
  {
    name: texts.columns.time,
    ...{ from: "md", folds: true, look: muted },
    cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
  },
];

/** Requests that the draft would stop and what is in force does not. */
const NewlyBlocked = ({ rows, total }: { rows: ReplayRow[]; total: number }) => (
  <section aria-labelledby="firewall-replay-rows" className="border-border border-t">
    <h3 id="firewall-replay-rows" className="px-5 pt-4 pb-3 font-medium text-sm">
      {texts.rows}
      {total > rows.length && (
        <span className="font-normal text-muted-foreground">
          {" "}
          · {texts.mostRows(formatCount(rows.length))}
        </span>
      )}
    </h3>
    <RowTable
      label={texts.rows}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      lookOf={({ role }) => (role === "admin" ? "bg-warning/8" : "")}
      className="text-[0.8125rem]"
    />
  </section>
);

type SwitchOnProps = { replay: ReplayControl; newlyBlocked: number; onClose: () => void };

/** Asks whether the draft is to be put in force; a part that is refused stays in the draft. */
const SwitchOnQuestion = ({ replay, newlyBlocked, onClose }: SwitchOnProps) => {
  const { api, calls, config, refresh } = useFirewall();
  const [failure, setFailure] = useState("");
  const apply = async () => {
    const revision = async () => (await refresh().catch(() => config)).revision;
    const outcome = await switchOn(calls, { form: replay.form, now: config, revision });
    await refresh().catch(() => undefined);
    if (outcome.failure === null) {
      replay.clear();
      api.notify(texts.switched);
      return onClose();
    }
    replay.change(outcome.left);
    const done = draftParts.filter((part) => outcome.done.includes(part)).map((part) => texts.parts[part]);
    const words = saveFailure(outcome.failure);
    setFailure(done.length === 0 ? words : `${words} ${texts.partly(done.join(", "))}`);
    throw new Error("the draft was not applied", { cause: outcome.failure });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={texts.switchQuestion}
      question={
        newlyBlocked > 0
          ? `${texts.switchText} ${texts.switchText2(formatCount(newlyBlocked))}`
          : texts.switchText
      }
      action={texts.switchOn}
      isDangerous={false}
      fallback={failure}
      onConfirm={apply}
    />
  );
};

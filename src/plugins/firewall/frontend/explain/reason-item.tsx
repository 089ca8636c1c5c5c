import { Badge, Button, ConfirmDialog, formatCount } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import type { JournalEntry, PatternRow, Reason } from "../../backend/wire.ts";
import { ExemptionDialog } from "../attacks/exemption-dialog.tsx";
import { withLocalTimes } from "../parts/local-times.ts";
import { explainTexts as texts } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";

type ReasonItemProps = {
  reason: Reason;
  entry: JournalEntry;
  /** The pattern that it is about, if it is about one. */
  pattern: PatternRow | null;
};

/** One thing that spoke against a request: what was found, where, and what can be done about a pattern. */
export const ReasonItem = ({ reason, entry, pattern }: ReasonItemProps) => {
  const { by, rule, text, score, excerpt } = reason;
  return (
    <li className="grid gap-2 p-3">
      <div className="flex flex-wrap items-center gap-2">
        <Badge>{texts.by[by]}</Badge>
        {score > 0 && (
          <span className="text-muted-foreground text-xs tabular-nums">
            {texts.points(formatCount(score))}
          </span>
        )}
        {rule !== "" && (
          <span className="ml-auto text-muted-foreground text-xs">
            {texts.rule} <span className="wrap-anywhere font-mono">{rule}</span>
          </span>
        )}
      </div>
      <p className="wrap-anywhere font-medium">{withLocalTimes(text)}</p>
      {whereOf(reason) !== null && (
        <p className="wrap-anywhere text-[0.8125rem] text-muted-foreground">{whereOf(reason)}</p>
      )}
      {excerpt !== "" && (
        <code className="wrap-anywhere block whitespace-pre-wrap rounded-sm bg-muted px-2 py-1.5 font-mono text-[0.8125rem]">
          {excerpt}
        </code>
      )}
      {pattern !== null && <PatternActs {...{ reason, entry, pattern }} />}
    </li>
  );
};

const whereOf = ({ place, name }: Reason): string | null => {
  if (place === "") return null;
  const words = texts.places[place];
  return name === "" ? texts.found(words) : texts.foundIn(words, name);
};

const PatternActs = ({ reason, entry, pattern }: ReasonItemProps & { pattern: PatternRow }) => {
  const { api, calls } = useFirewall();
  const save = useSaver();
  const [opened, setOpened] = useState<"exempt" | "off" | null>(null);
  const close = () => setOpened(null);
  const isPathItself = entry.reasons.some(({ place }) => place === "path") && !entry.path.startsWith("/api/");
  const hasField =
    !isPathItself && reason.name !== "" && (reason.place === "query" || reason.place === "body");
  return (
    <div className="flex flex-wrap gap-2">
      {hasField && (
        <Button variant="outline" size="sm" onClick={() => setOpened("exempt")}>
          {texts.exempt}
        </Button>
      )}
      {pattern.isOn && (
        <Button variant="outline" size="sm" onClick={() => setOpened("off")}>
          {texts.switchOff}
        </Button>
      )}
      {opened === "exempt" && (
        <ExemptionDialog
          start={{
            method: entry.method,
            path: entry.path,
            fields: [reason.name],
            categories: [pattern.category],
            note: texts.fromRequest(entry.id),
          }}
          onClose={close}
        />
      )}
      <ConfirmDialog
        open={opened === "off"}
        onClose={close}
        title={texts.switchOffQuestion(pattern.title)}
        question={texts.switchOffText}
        action={texts.switchOff}
        fallback={texts.switchFailed}
        onConfirm={async () => {
          await save(() => calls.switchPattern(pattern.id, false));
          api.notify(texts.switchedOff(pattern.title));
          close();
        }}
      />
    </div>
  );
};

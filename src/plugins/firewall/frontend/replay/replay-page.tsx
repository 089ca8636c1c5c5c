import { Button, Card, CardContent, CardHeader, CardTitle, failureText } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import { wholeNumberComplaint } from "../parts/whole-number.ts";
import { replayTexts as texts } from "../rule-texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { DraftAddresses } from "./draft-addresses.tsx";
import { DraftCountries } from "./draft-countries.tsx";
import { DraftRates } from "./draft-rates.tsx";
import { DraftStrictness } from "./draft-strictness.tsx";
import { isEmptyDraft, isSameDraft, toDraft } from "./replay-form.ts";
import { ReplayResult } from "./replay-result.tsx";
import type { ReplayControl } from "./use-replay.ts";

/** Other rules, tried on what came in lately. */
export const ReplayPage = ({ replay }: { replay: ReplayControl }) => {
  const { config } = useFirewall();
  const [complaint, setComplaint] = useState<string | null>(null);
  const { form, run } = replay;
  const draft = toDraft(form, config);
  const isRunning = replay.isStarting || run?.data.state === "running";
  const thresholdComplaint =
    form.threshold.trim() === "" ? null : wholeNumberComplaint(form.threshold, [1, 100]);
  const complain = () => {
    if (thresholdComplaint !== null) return thresholdComplaint;
    if (isEmptyDraft(draft)) return texts.empty;
    const { countries } = form;
    return countries !== null && countries.mode !== "off" && countries.codes.length === 0
      ? texts.needsCountry
      : null;
  };
  const start = () => {
    const found = complain();
    setComplaint(found);
    if (found === null) replay.start(draft);
  };
  const change: ReplayControl["change"] = (more) => {
    setComplaint(null);
    replay.change(more);
  };
  const failure = complaint ?? (replay.error === null ? null : failureText(replay.error, texts.failed));
  return (
    <div className="grid grid-cols-1 gap-4">
      <Card aria-labelledby="firewall-draft">
        <CardHeader className="block">
          <CardTitle id="firewall-draft">{texts.title}</CardTitle>
          <p className="mt-1 text-[0.8125rem] text-muted-foreground">{texts.lead}</p>
        </CardHeader>
        <CardContent className="grid grid-cols-1 gap-6">
          <DraftStrictness form={form} complaint={thresholdComplaint} onChange={change} />
          <DraftCountries form={form} onChange={change} />
          <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
            <DraftAddresses form={form} onChange={change} />
            <DraftRates form={form} onChange={change} />
          </div>
          {failure !== null && (
            <p role="alert" className="text-[0.8125rem] text-destructive">
              {failure}
            </p>
          )}
          <div className="flex flex-wrap gap-2 border-border border-t pt-4">
            <Button isBusy={isRunning} onClick={start}>
              {run === null ? texts.run : texts.again}
            </Button>
            <Button
              variant="outline"
              aria-disabled={isRunning}
              onClick={() => {
                if (isRunning) return;
                setComplaint(null);
                replay.clear();
              }}
            >
              {texts.clear}
            </Button>
          </div>
        </CardContent>
      </Card>
      {run !== null && (
        <ReplayResult replay={replay} data={run.data} isOld={!isSameDraft(run.draft, draft)} />
      )}
    </div>
  );
};

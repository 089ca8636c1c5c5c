import { Card, CardContent, CardHeader, CardTitle, Field, Input, Link } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import type { Switches } from "../../backend/wire.ts";
import { saveFailure } from "../calls.ts";
import { LeaveQuestion } from "../parts/leave-question.tsx";
import { LevelChoice } from "../parts/level-choice.tsx";
import { SaveRow } from "../parts/save-row.tsx";
import { wholeNumberComplaint } from "../parts/whole-number.ts";
import { pathOf } from "../place.ts";
import { overviewTexts as texts } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";

type Draft = { level?: Switches["paranoiaLevel"]; threshold?: string };

const bounds = [1, 100] as const;

/** Paranoia level and threshold; both are saved together. */
export const LevelForm = () => {
  const { api, calls, config } = useFirewall();
  const save = useSaver();
  const [draft, setDraft] = useState<Draft>({});
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const level = draft.level ?? config.paranoiaLevel;
  const threshold = draft.threshold ?? String(config.threshold);
  const isDirty = level !== config.paranoiaLevel || threshold !== String(config.threshold);
  const complaint = wholeNumberComplaint(threshold, bounds);
  const change = (more: Draft) => {
    setFailure(null);
    setDraft({ ...draft, ...more });
  };
  const submit = async () => {
    if (!isDirty || isBusy || complaint !== null) return;
    setIsBusy(true);
    setFailure(null);
    try {
      await save((revision) =>
        calls.saveSwitches({
          // What somebody else changes meanwhile stays theirs.
          ...(level !== config.paranoiaLevel && { paranoiaLevel: level }),
          ...(threshold !== String(config.threshold) && { threshold: Number(threshold) }),
          revision,
        }),
      );
      setDraft({});
    } catch (error) {
      setFailure(saveFailure(error));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Card aria-labelledby="firewall-level">
      <LeaveQuestion isDirty={isDirty} />
      <CardHeader>
        <CardTitle id="firewall-level">{texts.strict}</CardTitle>
      </CardHeader>
      <CardContent>
        <form
          noValidate
          className="grid gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <LevelChoice level={level} onChange={(next) => change({ level: next })} />
          <Field label={texts.threshold} hint={texts.thresholdHint} error={complaint}>
            <Input
              name="threshold"
              inputMode="numeric"
              autoComplete="off"
              className="max-w-28"
              value={threshold}
              onChange={(event) => change({ threshold: event.target.value })}
            />
          </Field>
          <p className="text-[0.8125rem]">
            <Link
              href={api.addressOf(pathOf("replay"))}
              className="text-primary underline underline-offset-2"
            >
              {texts.replayHint}
            </Link>
          </p>
          <SaveRow
            isDirty={isDirty}
            isBusy={isBusy}
            failure={failure}
            onDiscard={() => {
              setDraft({});
              setFailure(null);
            }}
          />
        </form>
      </CardContent>
    </Card>
  );
};

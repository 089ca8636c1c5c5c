import { Card, CardContent, CardHeader, CardTitle, Field, Input } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import { saveFailure } from "../calls.ts";
import { InstantSwitch } from "../parts/instant-switch.tsx";
import { LeaveQuestion } from "../parts/leave-question.tsx";
import { SaveRow } from "../parts/save-row.tsx";
import { banTexts as texts } from "../rule-texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";
import { type BanDraft, type BanNumber, banChanges, banComplaints, banTyped } from "./ban-draft.ts";

/** Who is banned by itself, and for how long. */
export const BanSettings = () => {
  const { calls, config } = useFirewall();
  const save = useSaver();
  const [draft, setDraft] = useState<BanDraft>({});
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const typed = banTyped(config, draft);
  const complaints = banComplaints(typed);
  const changes = banChanges(config, typed);
  const isDirty = Object.keys(changes).length > 0;
  const submit = async () => {
    if (!isDirty || isBusy || Object.keys(complaints).length > 0) return;
    setIsBusy(true);
    setFailure(null);
    try {
      await save((revision) => calls.saveSwitches({ ...changes, revision }));
      setDraft({});
    } catch (error) {
      setFailure(saveFailure(error));
    } finally {
      setIsBusy(false);
    }
  };
  const field = (name: BanNumber, label: string) => (
    <Field label={label} error={complaints[name]}>
      <Input
        name={name}
        inputMode="numeric"
        autoComplete="off"
        value={typed[name]}
        onChange={(event) => {
          setFailure(null);
          setDraft({ ...draft, [name]: event.target.value });
        }}
      />
    </Field>
  );
  return (
    <Card aria-labelledby="firewall-offenders">
      <LeaveQuestion isDirty={isDirty} />
      <CardHeader className="block">
        <CardTitle id="firewall-offenders">{texts.settings}</CardTitle>
        <p className="mt-1 text-[0.8125rem] text-muted-foreground">{texts.settingsLead}</p>
      </CardHeader>
      <CardContent className="grid grid-cols-1 gap-5">
        <InstantSwitch
          label={texts.enabled}
          hint={texts.enabledHint}
          isOn={config.bansEnabled}
          onSwitch={(bansEnabled) => save((revision) => calls.saveSwitches({ bansEnabled, revision }))}
        />
        <form
          noValidate
          className="grid grid-cols-1 gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <div className="grid grid-cols-2 items-start gap-4 lg:grid-cols-4">
            {field("banAfterBlocks", texts.blocks)}
            {field("banWindowMinutes", texts.window)}
            {field("banMinutes", texts.first)}
            {field("banMostMinutes", texts.most)}
          </div>
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

import { Alert, Button, Dialog, formatCount, useAct } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import { saveFailure } from "../calls.ts";
import { replayTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { draftParts, switchOn } from "./switch-on.ts";
import type { ReplayControl } from "./use-replay.ts";

type SwitchOnDialogProps = { replay: ReplayControl; newlyBlocked: number; onClose: () => void };

/** Asks whether the draft is to be put in force; a part that is refused stays in the draft. */
export const SwitchOnDialog = ({ replay, newlyBlocked, onClose }: SwitchOnDialogProps) => {
  const { api, calls, config, refresh } = useFirewall();
  const [failure, setFailure] = useState<string | null>(null);
  const { act, isBusy } = useAct(async () => {
    setFailure(null);
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
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={texts.switchQuestion}
      description={
        newlyBlocked > 0
          ? `${texts.switchText} ${texts.switchText2(formatCount(newlyBlocked))}`
          : texts.switchText
      }
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button isBusy={isBusy} onClick={act}>
            {texts.switchOn}
          </Button>
        </>
      }
    >
      {failure !== null && <Alert severity="error">{failure}</Alert>}
    </Dialog>
  );
};

import {
  Alert,
  Card,
  CardContent,
  failureText,
  formatDateTime,
  Label,
  Switch,
  useAct,
} from "@atrium/plugin-sdk/ui";
import { useId } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { Switching, SwitchName, SwitchReport } from "../../backend/wire.ts";
import { turnSwitch } from "../calls.ts";
import { switchTexts, texts } from "../texts.ts";
import { MeasuredTable } from "./measured-table.tsx";
import { VisitorsTable } from "./visitors-table.tsx";

type SwitchCardProps = {
  api: WindowApi;
  name: SwitchName;
  isOn: boolean;
  /** What the last measurement found; `undefined` before the first. */
  measured: SwitchReport | undefined;
  /** When it was last turned; `undefined` when it never was. */
  turned: Switching | undefined;
  onTurned: () => void;
};

/** A switch with what it does: on this server, and to visitors since it was turned. */
export const SwitchCard = ({ api, name, isOn, measured, turned, onTurned }: SwitchCardProps) => {
  const id = useId();
  const { act, isBusy, error } = useAct(async () => {
    const { message } = await turnSwitch(api, name, !isOn);
    api.notify(message);
    onTurned();
  });
  const { title, text } = switchTexts[name];
  return (
    <Card>
      <CardContent className="grid grid-cols-1 gap-4 pt-4">
        <div className="flex items-start justify-between gap-4">
          <div className="grid min-w-0 max-w-3xl gap-1">
            <Label htmlFor={id}>{title}</Label>
            <p id={`${id}-text`} className="text-[0.8125rem] text-muted-foreground leading-5">
              {text}
            </p>
          </div>
          <Switch
            id={id}
            aria-describedby={`${id}-text`}
            checked={isOn}
            disabled={isBusy}
            onCheckedChange={act}
          />
        </div>
        {error !== null && <Alert severity="error">{failureText(error, texts.turnFailed)}</Alert>}
        <section className="grid grid-cols-1 gap-1.5" aria-label={`${title}: ${texts.effectServer}`}>
          <h3 className="font-medium text-sm">{texts.effectServer}</h3>
          {measured === undefined ? <Faint>{texts.noReport}</Faint> : <Faint>{measured.note}</Faint>}
          {measured !== undefined && measured.rows.length > 0 && (
            <MeasuredTable label={`${title}: ${texts.effectServer}`} rows={measured.rows} />
          )}
        </section>
        <section className="grid grid-cols-1 gap-1.5" aria-label={`${title}: ${texts.effectVisitors}`}>
          <h3 className="font-medium text-sm">{texts.effectVisitors}</h3>
          {turned === undefined ? (
            <Faint>{texts.noTurn}</Faint>
          ) : (
            <>
              <Faint>{(turned.isOn ? texts.turnedOn : texts.turnedOff)(formatDateTime(turned.at))}</Faint>
              {turned.others > 0 && <Faint>{texts.others(turned.others)}</Faint>}
              <VisitorsTable
                label={`${title}: ${texts.effectVisitors}`}
                before={turned.before}
                after={turned.after}
              />
            </>
          )}
        </section>
      </CardContent>
    </Card>
  );
};

const Faint = ({ children }: { children: string }) => (
  <p className="max-w-3xl text-[0.8125rem] text-muted-foreground leading-5">{children}</p>
);

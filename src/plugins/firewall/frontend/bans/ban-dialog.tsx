import { Alert, Dialog, Field, Input, Select, useForm } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import { saveFailure } from "../calls.ts";
import { DialogButtons } from "../parts/dialog-buttons.tsx";
import { looksLikeAddress } from "../parts/looks-like-address.ts";
import { wholeNumberComplaint } from "../parts/whole-number.ts";
import { banTexts as texts } from "../rule-texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";

type BanDialogProps = {
  /** What stands in the fields at first. */
  address?: string;
  note?: string;
  onClose: () => void;
};

const times = [15, 60, 720, 1440, 10080, 43200] as const;
/** Bounds of a ban in minutes: a year at most. */
const banBounds = [1, 525_600] as const;

type Name = "address" | "time" | "minutes" | "note";

const rules = {
  address: (value: string) => (looksLikeAddress(value) && !value.includes("/") ? null : texts.addressWrong),
  time: () => null,
  minutes: (value: string, { time }: Record<Name, string>) =>
    time === "own" ? wholeNumberComplaint(value, banBounds) : null,
  note: () => null,
};

/** Bans an address by hand. */
export const BanDialog = ({ address, note, onClose }: BanDialogProps) => {
  const { api, calls } = useFirewall();
  const save = useSaver();
  const [time, setTime] = useState("60");
  const { formProps, errors, problem, isBusy } = useForm({
    rules,
    send: async (values) => {
      const minutes = Number(values.time === "own" ? values.minutes : values.time);
      const wanted = values.address.trim();
      await save(() => calls.ban({ address: wanted, minutes, note: values.note.trim() }));
      api.notify(texts.banned(wanted));
      onClose();
    },
    explain: saveFailure,
  });
  return (
    <Dialog open onOpenChange={onClose} title={texts.add}>
      <form {...formProps}>
        {problem !== null && (
          <Alert severity="error" className="mb-5">
            {problem.message}
          </Alert>
        )}
        <fieldset disabled={isBusy} className="grid grid-cols-1 gap-5">
          <Field label={texts.address} hint={texts.addressHint} error={errors.address}>
            <Input
              name="address"
              defaultValue={address}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={64}
              required
              autoFocus={address === undefined}
              className="font-mono"
            />
          </Field>
          <Field label={texts.time}>
            <Select name="time" value={time} onChange={(event) => setTime(event.target.value)}>
              {times.map((minutes) => (
                <option key={minutes} value={minutes}>
                  {texts.times[minutes]}
                </option>
              ))}
              <option value="own">{texts.minutesOwn}</option>
            </Select>
          </Field>
          {time === "own" && (
            <Field label={texts.minutes} error={errors.minutes}>
              <Input name="minutes" inputMode="numeric" autoComplete="off" />
            </Field>
          )}
          <Field label={texts.note} error={errors.note}>
            <Input name="note" autoComplete="off" maxLength={200} defaultValue={note} />
          </Field>
          <DialogButtons action={texts.add} isBusy={isBusy} isDangerous onCancel={onClose} />
        </fieldset>
      </form>
    </Dialog>
  );
};

import { FormDialog } from "@atrium/plugin-sdk/ui";
import { useState } from "react";
import { ChoiceField, isFine, TextField, useRuleForm } from "../parts/forms.tsx";
import { looksLikeAddress, wholeNumberComplaint } from "../parts/rule-values.ts";
import { banTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";

type BanDialogProps = {
  /** What is in the fields at first. */
  address?: string;
  note?: string;
  onClose: () => void;
};

/** Bounds of a ban in minutes: a year at most. */
const banBounds = [1, 525_600] as const;

type Name = "address" | "time" | "minutes" | "note";

const rules = {
  address: (value: string) => (looksLikeAddress(value) && !value.includes("/") ? null : texts.addressWrong),
  time: isFine,
  minutes: (value: string, { time }: Record<Name, string>) =>
    time === "own" ? wholeNumberComplaint(value, banBounds) : null,
  note: isFine,
};

/** Bans an address by hand. */
export const BanDialog = ({ address, note, onClose }: BanDialogProps) => {
  const { calls } = useFirewall();
  const [time, setTime] = useState<`${keyof typeof texts.times}`>("60");
  const form = useRuleForm({
    rules,
    onClose,
    send: async (values, save) => {
      const minutes = Number(values.time === "own" ? values.minutes : values.time);
      const wanted = values.address.trim();
      await save(() => calls.ban({ address: wanted, minutes, note: values.note.trim() }));
      return texts.banned(wanted);
    },
  });
  const { field } = form;
  return (
    <FormDialog title={texts.add} form={form} action={texts.add} isDangerous onClose={onClose}>
      <TextField
        {...field("address")}
        label={texts.address}
        hint={texts.addressHint}
        isCode
        defaultValue={address}
        maxLength={64}
        required
        autoFocus={address === undefined}
      />
      <ChoiceField
        label={texts.time}
        name="time"
        names={texts.times}
        value={time}
        onChoose={(choice) => setTime(choice ?? "60")}
      />
      {time === "own" && <TextField {...field("minutes")} label={texts.minutes} isNumber />}
      <TextField {...field("note")} label={common.note} maxLength={200} defaultValue={note} />
    </FormDialog>
  );
};

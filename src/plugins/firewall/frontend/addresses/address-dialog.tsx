import { Button, FormDialog, formatCount, formatDateTime } from "@atrium/plugin-sdk/ui";
import { useRef, useState } from "react";
import type { AddressEntry } from "../../backend/wire.ts";
import { ChoiceField, isFine, TextField, useRuleForm } from "../parts/forms.tsx";
import { looksLikeAddress } from "../parts/rule-values.ts";
import { addressTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";
import { type ExpiryChoice, expiresAtOf, isToCome, readExpiry } from "./address-query.ts";

type AddressDialogProps = {
  /** What is in the fields at first; with `entry`, that one is changed. */
  start?: Partial<Pick<AddressEntry, "kind" | "range" | "note">>;
  entry?: AddressEntry;
  onClose: () => void;
};

type Name = "address" | "kind" | "note" | "expiry" | "moment";

const rules = {
  address: (value: string) => {
    if (value.trim() === "") return texts.addressMissing;
    return looksLikeAddress(value) ? null : common.addressWrong;
  },
  kind: isFine,
  note: isFine,
  expiry: isFine,
  moment: (value: string, { expiry }: Record<Name, string>) =>
    expiry !== "moment" || isToCome(value, Date.now()) ? null : texts.momentMissing,
};

/** Adds an address to a list, or changes an entry; its range stays. */
export const AddressDialog = ({ start = {}, entry, onClose }: AddressDialogProps) => {
  const { calls, config } = useFirewall();
  const input = useRef<HTMLInputElement>(null);
  const [kind, setKind] = useState(entry?.kind ?? start.kind ?? "deny");
  const until = entry?.expiresAt ?? null;
  const [expiry, setExpiry] = useState<ExpiryChoice>(until === null ? "never" : "keep");
  const form = useRuleForm({
    rules,
    onClose,
    send: async ({ address, note, expiry: length, moment }, save) => {
      const expiresAt = expiresAtOf(readExpiry(length), { moment, now: Date.now() });
      const rest = { kind, note: note.trim(), ...(expiresAt !== undefined && { expiresAt }) };
      if (entry !== undefined) {
        await save((revision) => calls.changeAddress(entry.id, { ...rest, revision }));
        return texts.changed(entry.range);
      }
      await save((revision) => calls.addAddress({ address: address.trim(), ...rest, revision }));
      return texts.added(address.trim());
    },
  });
  const { field } = form;
  const takeOwn = (address: string) => {
    if (input.current === null) return;
    input.current.value = address;
    input.current.dispatchEvent(new Event("input", { bubbles: true }));
    input.current.focus();
  };
  const { ownAddress } = config;
  return (
    <FormDialog
      title={entry === undefined ? texts.addTitle : texts.editTitle(entry.range)}
      description={
        entry && texts.editHint(entry.author, formatDateTime(entry.createdAt), formatCount(entry.hits))
      }
      form={form}
      action={entry === undefined ? texts.add : common.save}
      onClose={onClose}
    >
      {entry !== undefined && <input type="hidden" name="address" value={entry.range} />}
      {entry === undefined && (
        <div className="grid gap-2">
          <TextField
            {...field("address")}
            label={texts.address}
            hint={texts.addressHint}
            ref={input}
            isCode
            defaultValue={start.range}
            maxLength={64}
            required
            autoFocus={start.range === undefined}
          />
          {kind === "allow" && ownAddress !== null && (
            <Button
              variant="outline"
              size="sm"
              className="justify-self-start"
              onClick={() => takeOwn(ownAddress)}
            >
              {texts.ownAdd(ownAddress)}
            </Button>
          )}
        </div>
      )}
      <ChoiceField
        {...field("kind")}
        label={texts.kind}
        hint={texts.kindHints[kind]}
        names={common.kinds}
        value={kind}
        onChoose={(choice) => setKind(choice ?? "deny")}
      />
      <TextField
        {...field("note")}
        label={common.note}
        hint={texts.noteHint}
        maxLength={200}
        defaultValue={entry?.note ?? start.note}
      />
      <ChoiceField
        {...field("expiry")}
        label={texts.expiry}
        names={{ ...(until !== null && { keep: texts.keep(formatDateTime(until)) }), ...texts.expiries }}
        value={expiry}
        onChoose={(choice) => setExpiry(choice ?? "never")}
      />
      {expiry === "moment" && <TextField {...field("moment")} label={texts.moment} type="datetime-local" />}
    </FormDialog>
  );
};

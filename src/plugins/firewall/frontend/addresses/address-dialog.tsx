import {
  Alert,
  Button,
  Dialog,
  Field,
  formatCount,
  formatDateTime,
  Input,
  Select,
  useForm,
} from "@atrium/plugin-sdk/ui";
import { useRef, useState } from "react";
import type { AddressEntry } from "../../backend/wire.ts";
import { saveFailure } from "../calls.ts";
import { DialogButtons } from "../parts/dialog-buttons.tsx";
import { looksLikeAddress } from "../parts/looks-like-address.ts";
import { addressTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall, useSaver } from "../use-firewall.ts";
import { addressKinds } from "./address-query.ts";
import { expiresAtOf, expiryChoices, isToCome, readExpiry } from "./expiry.ts";

type AddressDialogProps = {
  /** What stands in the fields at first; with `entry`, that one is changed. */
  start?: Partial<Pick<AddressEntry, "kind" | "range" | "note">>;
  entry?: AddressEntry;
  onClose: () => void;
};

type Name = "address" | "kind" | "note" | "expiry" | "moment";

const rules = {
  address: (value: string) => {
    if (value.trim() === "") return texts.addressMissing;
    return looksLikeAddress(value) ? null : texts.addressWrong;
  },
  kind: () => null,
  note: () => null,
  expiry: () => null,
  moment: (value: string, { expiry }: Record<Name, string>) =>
    expiry !== "moment" || isToCome(value, Date.now()) ? null : texts.momentMissing,
};

/** Adds an address to a list, or changes an entry; its range stays. */
export const AddressDialog = ({ start = {}, entry, onClose }: AddressDialogProps) => {
  const { api, calls, config } = useFirewall();
  const save = useSaver(true);
  const [kind, setKind] = useState(entry?.kind ?? start.kind ?? "deny");
  const [expiry, setExpiry] = useState(entry?.expiresAt == null ? "never" : "keep");
  const { formProps, errors, problem, isBusy } = useForm({
    rules,
    send: async ({ address, note, expiry: length, moment }) => {
      const expiresAt = expiresAtOf(readExpiry(length), { moment, now: Date.now() });
      const rest = { kind, note: note.trim(), ...(expiresAt !== undefined && { expiresAt }) };
      if (entry === undefined)
        await save((revision) => calls.addAddress({ address: address.trim(), ...rest, revision }));
      else await save((revision) => calls.changeAddress(entry.id, { ...rest, revision }));
      api.notify(entry === undefined ? texts.added(address.trim()) : texts.changed(entry.range));
      onClose();
    },
    explain: saveFailure,
  });
  const { ownAddress } = config;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={entry === undefined ? texts.addTitle : texts.editTitle(entry.range)}
      description={
        entry && texts.editHint(entry.author, formatDateTime(entry.createdAt), formatCount(entry.hits))
      }
    >
      <form {...formProps}>
        {problem !== null && (
          <Alert severity="error" className="mb-5">
            {problem.message}
          </Alert>
        )}
        <fieldset disabled={isBusy} className="grid grid-cols-1 gap-5">
          {entry === undefined ? (
            <AddressField
              start={start.range ?? ""}
              error={errors.address}
              own={ownAddress}
              isAllow={kind === "allow"}
            />
          ) : (
            <input type="hidden" name="address" value={entry.range} />
          )}
          <Field label={texts.kind} hint={texts.kindHints[kind]} error={errors.kind}>
            <Select
              name="kind"
              value={kind}
              onChange={(event) => setKind(event.target.value === "allow" ? "allow" : "deny")}
            >
              {addressKinds.map((choice) => (
                <option key={choice} value={choice}>
                  {texts.kinds[choice]}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={texts.note} hint={texts.noteHint} error={errors.note}>
            <Input
              name="note"
              autoComplete="off"
              maxLength={200}
              defaultValue={entry?.note ?? start.note ?? ""}
            />
          </Field>
          <Field label={texts.expiry} error={errors.expiry}>
            <Select name="expiry" value={expiry} onChange={(event) => setExpiry(event.target.value)}>
              {entry?.expiresAt != null && (
                <option value="keep">{texts.expiries.keep(formatDateTime(entry.expiresAt))}</option>
              )}
              {expiryChoices.map((choice) => (
                <option key={choice} value={choice}>
                  {texts.expiries[choice]}
                </option>
              ))}
            </Select>
          </Field>
          {expiry === "moment" && (
            <Field label={texts.moment} error={errors.moment}>
              <Input type="datetime-local" name="moment" />
            </Field>
          )}
          <DialogButtons
            action={entry === undefined ? texts.add : common.save}
            isBusy={isBusy}
            onCancel={onClose}
          />
        </fieldset>
      </form>
    </Dialog>
  );
};

type AddressFieldProps = { start: string; error: string | undefined; own: string | null; isAllow: boolean };

const AddressField = ({ start, error, own, isAllow }: AddressFieldProps) => {
  const input = useRef<HTMLInputElement>(null);
  const takeOwn = (address: string) => {
    if (input.current === null) return;
    input.current.value = address;
    input.current.dispatchEvent(new Event("input", { bubbles: true }));
    input.current.focus();
  };
  return (
    <div className="grid gap-2">
      <Field label={texts.address} hint={texts.addressHint} error={error ?? null}>
        <Input
          ref={input}
          name="address"
          defaultValue={start}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          required
          autoFocus={start === ""}
          className="font-mono"
        />
      </Field>
      {isAllow && own !== null && (
        <Button variant="outline" size="sm" className="justify-self-start" onClick={() => takeOwn(own)}>
          {texts.ownAdd(own)}
        </Button>
      )}
    </div>
  );
};

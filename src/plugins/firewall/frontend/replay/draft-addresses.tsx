import { Button, Field, Input, Select, useForm } from "@atrium/plugin-sdk/ui";
import { useRef } from "react";
import { addressKinds } from "../addresses/address-query.ts";
import { saveFailure } from "../calls.ts";
import { looksLikeAddress } from "../parts/looks-like-address.ts";
import { replayTexts as texts } from "../rule-texts.ts";
import { DraftItems } from "./draft-items.tsx";
import type { DraftProps } from "./draft-strictness.tsx";

const rules = {
  kind: () => null,
  address: (value: string) => (looksLikeAddress(value) ? null : texts.addressWrong),
};

/** Addresses that the draft adds to the lists. */
export const DraftAddresses = ({ form, onChange }: DraftProps) => {
  const input = useRef<HTMLInputElement>(null);
  const { addresses } = form;
  const { formProps, errors } = useForm({
    rules,
    send: async ({ kind, address }) => {
      const entry = {
        kind: kind === "allow" ? ("allow" as const) : ("deny" as const),
        address: address.trim(),
      };
      const others = addresses.filter((other) => other.address !== entry.address);
      onChange({ addresses: [...others, entry] });
      if (input.current === null) return;
      input.current.value = "";
      input.current.focus();
    },
    explain: saveFailure,
  });
  return (
    <section aria-label={texts.addresses} className="grid grid-cols-1 gap-3">
      <h3 className="font-medium text-sm">{texts.addresses}</h3>
      <DraftItems
        items={addresses.map(({ kind, address }) => ({ name: address, detail: texts.addressKinds[kind] }))}
        onRemove={(index) => onChange({ addresses: addresses.toSpliced(index, 1) })}
      />
      <form {...formProps} className="grid grid-cols-[6rem_1fr] items-start gap-3">
        <Field label={texts.kind}>
          <Select name="kind" defaultValue="deny">
            {addressKinds.map((kind) => (
              <option key={kind} value={kind}>
                {texts.addressKinds[kind]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={texts.address} error={errors.address}>
          <Input
            ref={input}
            name="address"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            className="font-mono"
          />
        </Field>
        <Button type="submit" variant="outline" size="sm" className="col-span-2 justify-self-start">
          {texts.addAddress}
        </Button>
      </form>
    </section>
  );
};

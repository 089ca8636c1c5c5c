import { verificationModes } from "#contract/account-settings.ts";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Section } from "./section.tsx";
import { fieldsTexts, leads } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";

/** What holds for accounts; the firewall never manages it. */
export const AccountsSection = ({ form }: { form: SettingsForm }) => (
  <Section id="accounts" lead={leads.accounts}>
    <div className="p-5">
      <Field
        label={fieldsTexts.verification}
        hint={fieldsTexts.verificationHint}
        error={form.errors["accounts.verification"]}
      >
        <Select
          name="accounts.verification"
          value={form.draft["accounts.verification"]}
          onChange={({ target }) => form.set("accounts.verification", target.value)}
        >
          {verificationModes.map((mode) => (
            <option key={mode} value={mode}>
              {fieldsTexts.verificationModes[mode]}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  </Section>
);

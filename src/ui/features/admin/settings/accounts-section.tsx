import { fieldsBelow } from "./draft.ts";
import { Section } from "./section.tsx";
import { SettingField } from "./setting-field.tsx";
import { leads } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";

/** What holds for accounts; the firewall never manages it. */
export const AccountsSection = ({ form }: { form: SettingsForm }) => (
  <Section id="accounts" lead={leads.accounts}>
    <div className="grid gap-5 p-5">
      {fieldsBelow("accounts").map((field) => (
        <SettingField key={field.path} form={form} field={field} />
      ))}
    </div>
  </Section>
);

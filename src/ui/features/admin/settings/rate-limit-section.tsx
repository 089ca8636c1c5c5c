import { windowChoices } from "#contract/core-settings.ts";
import { Field } from "#ui/components/ui/field.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Textarea } from "#ui/components/ui/textarea.tsx";
import { cn } from "#ui/lib/cn.ts";
import { ConnectionTest } from "./connection-test.tsx";
import { ManagedNote } from "./managed-note.tsx";
import { Section } from "./section.tsx";
import { SwitchRow } from "./switch-row.tsx";
import { TextField } from "./text-field.tsx";
import { fieldsTexts, coreTexts as texts } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";
import type { StatusDesk } from "./use-system-status.ts";

type RateLimitSectionProps = { form: SettingsForm; desk: StatusDesk };

/** The core's own limit on calls: greyed and locked while the firewall manages it. */
export const RateLimitSection = ({ form, desk }: RateLimitSectionProps) => {
  const { draft, errors, isManaged } = form;
  const limiter = desk.status?.limiter;
  const isValid = fields.every((path) => errors[path] === undefined);
  return (
    <Section
      id="rate-limiting"
      lead={texts.limitLead}
      status={
        <p className="mt-1 min-h-5 text-[0.8125rem]">
          {limiter !== undefined && (limiter.isEnabled ? texts.stores[limiter.store] : texts.notCounted)}
        </p>
      }
      actions={<ConnectionTest kind="rate-limit" isReady={isValid && !isManaged} body={() => undefined} />}
    >
      {isManaged && <ManagedNote />}
      <fieldset disabled={isManaged} className={cn("grid gap-5 p-5", isManaged && "opacity-60 grayscale")}>
        <div className="-my-3.5 border-border border-b">
          <SwitchRow
            form={form}
            path="rateLimiting.enabled"
            label={fieldsTexts.enabled}
            hint={fieldsTexts.enabledHint}
          />
        </div>
        <div className="mt-3.5 grid items-start gap-5 sm:grid-cols-2">
          <Field label={fieldsTexts.window} error={errors["rateLimiting.windowMs"]}>
            <Select
              name="rateLimiting.windowMs"
              value={draft["rateLimiting.windowMs"]}
              onChange={({ target }) => form.set("rateLimiting.windowMs", target.value)}
            >
              {windowChoices.map(({ ms, label }) => (
                <option key={ms} value={ms}>
                  {label}
                </option>
              ))}
            </Select>
          </Field>
          <TextField
            form={form}
            path="rateLimiting.maxRequests"
            label={fieldsTexts.maxRequests}
            hint={fieldsTexts.maxRequestsHint}
            inputMode="numeric"
          />
        </div>
        <Field
          label={fieldsTexts.message}
          hint={fieldsTexts.messageHint}
          error={errors["rateLimiting.message"]}
        >
          <Textarea
            name="rateLimiting.message"
            rows={2}
            className="min-h-16"
            value={draft["rateLimiting.message"]}
            onChange={({ target }) => form.set("rateLimiting.message", target.value)}
          />
        </Field>
        <div className="-mb-3.5 divide-y divide-border border-border border-t">
          <SwitchRow
            form={form}
            path="rateLimiting.skipAdminRoutes"
            label={fieldsTexts.skipAdmin}
            hint={fieldsTexts.skipAdminHint}
          />
          <SwitchRow
            form={form}
            path="rateLimiting.skipPluginRoutes"
            label={fieldsTexts.skipPlugin}
            hint={fieldsTexts.skipPluginHint}
          />
        </div>
      </fieldset>
    </Section>
  );
};

const fields = ["rateLimiting.windowMs", "rateLimiting.maxRequests", "rateLimiting.message"] as const;

import { client } from "#ui/lib/client.ts";
import { cn } from "#ui/lib/cn.ts";
import { ConnectionTest } from "./connection-test.tsx";
import { type DeclaredField, fieldsBelow } from "./draft.ts";
import { ManagedNote } from "./managed-note.tsx";
import { Section } from "./section.tsx";
import { SettingField } from "./setting-field.tsx";
import { coreTexts as texts } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";
import type { StatusDesk } from "./use-system-status.ts";

type RateLimitSectionProps = { form: SettingsForm; desk: StatusDesk };

/** The core's own limit on calls: greyed and locked while the firewall manages it. */
export const RateLimitSection = ({ form, desk }: RateLimitSectionProps) => {
  const { errors, isManaged } = form;
  const limiter = desk.status?.limiter;
  const isValid = fieldsBelow("rateLimiting").every(({ path }) => errors[path] === undefined);
  return (
    <Section
      id="rate-limiting"
      lead={texts.limitLead}
      status={
        <p className="mt-1 min-h-5 text-[0.8125rem]">
          {limiter !== undefined && (limiter.isEnabled ? texts.stores[limiter.store] : texts.notCounted)}
        </p>
      }
      actions={
        <ConnectionTest
          kind="rate-limit"
          isReady={isValid && !isManaged}
          test={() => client.settings.testRateLimit()}
        />
      }
    >
      {isManaged && <ManagedNote />}
      <fieldset disabled={isManaged} className={cn("grid gap-5 p-5", isManaged && "opacity-60 grayscale")}>
        <div className="-my-3.5 border-border border-b">{rows(form, "main")}</div>
        <div className="mt-3.5 grid items-start gap-5 sm:grid-cols-2">{rows(form, "short")}</div>
        {rows(form, "long")}
        <div className="-mb-3.5 divide-y divide-border border-border border-t">{rows(form, "switch")}</div>
      </fieldset>
    </Section>
  );
};

type Place = "main" | "short" | "long" | "switch";

const rows = (form: SettingsForm, place: Place) =>
  fieldsBelow("rateLimiting")
    .filter((field) => placeOf(field) === place)
    .map((field) => <SettingField key={field.path} form={form} field={field} />);

/** The switch of all comes first, the others come last. */
const placeOf = ({ path, setting }: DeclaredField): Place => {
  if (path === "rateLimiting.enabled") return "main";
  if (setting.kind === "switch") return "switch";
  return setting.kind === "text" && setting.isLong === true ? "long" : "short";
};

import { useEffect, useId, useRef, useState } from "react";
import { isManagedByFirewall } from "#contract/settings.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { useLeaveGuard } from "#ui/lib/use-leave-guard.ts";
import { AccountsSection } from "./accounts-section.tsx";
import { getSaved, type Opening } from "./api.ts";
import { FirewallCard } from "./firewall-card.tsx";
import { HistoryPanel } from "./history-panel.tsx";
import { MailPanel } from "./mail-panel.tsx";
import { RateLimitSection } from "./rate-limit-section.tsx";
import { RedisSection } from "./redis-section.tsx";
import { SaveBar } from "./save-bar.tsx";
import { Section } from "./section.tsx";
import { SectionIndex } from "./section-index.tsx";
import { SecuritySection } from "./security-section.tsx";
import { StorageSection } from "./storage-section.tsx";
import { leads, settingsPageTexts as texts } from "./texts.ts";
import { useSaveKeys } from "./use-save-keys.ts";
import { useSettingsForm } from "./use-settings-form.ts";
import { useSystemStatus } from "./use-system-status.ts";

/** All settings with what belongs to them, the bar to save with, and the question before unsaved changes are left. */
export const SettingsForm = ({ opening }: { opening: Opening }) => {
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  const desk = useSystemStatus(opening.status);
  // The history shows each saving as soon as it is done.
  const [savings, setSavings] = useState(0);
  const form = useSettingsForm({
    initial: opening.saved,
    isManaged: desk.status !== null && isManagedByFirewall(desk.status.firewall),
    form: element,
    onSaved: () => {
      setSavings((count) => count + 1);
      desk.reload();
    },
  });
  const guard = useLeaveGuard(form.changed.length > 0);
  useSaveKeys(form.save);
  useSectionOfAddress();

  const onReverted = async () => {
    form.adopt(await getSaved());
    desk.reload();
  };

  return (
    <div className="flex gap-10">
      <div className="flex min-w-0 max-w-[44rem] grow flex-col gap-6">
        <form
          id={id}
          ref={element}
          noValidate
          method="post"
          onSubmit={(event) => {
            event.preventDefault();
            void form.save();
          }}
          className="grid min-w-0 gap-6"
        >
          <RedisSection form={form} desk={desk} />
          <StorageSection form={form} desk={desk} />
          <FirewallCard desk={desk} />
          <RateLimitSection form={form} desk={desk} />
          <SecuritySection form={form} desk={desk} />
          <AccountsSection form={form} />
        </form>
        {/* Here for the keyboard, right behind what it saves; for the eye at the foot of the window. */}
        <SaveBar form={form} formId={id} />
        <Section id="mail" lead={leads.mail}>
          <MailPanel />
        </Section>
        <Section id="history" lead={leads.history}>
          <HistoryPanel savings={savings} onReverted={onReverted} />
        </Section>
      </div>
      <SectionIndex />
      <ConfirmDialog
        open={guard.isAsking}
        onClose={guard.stay}
        title={texts.leaveTitle}
        question={texts.leaveText(form.changed.length)}
        action={texts.leave}
        fallback={texts.leaveFailed}
        onConfirm={async () => guard.leave()}
      />
    </div>
  );
};

// The sections are there only once their settings have come, too late for the browser to go to the one in the address.
const useSectionOfAddress = () => {
  useEffect(() => {
    if (location.hash !== "") document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
};

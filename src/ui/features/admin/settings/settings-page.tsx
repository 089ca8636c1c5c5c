import { useCallback, useEffect, useId, useRef, useState } from "react";
import { isManagedByFirewall } from "#contract/settings.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { SettingsSkeleton } from "#ui/components/page-skeleton.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { ApiError } from "#ui/lib/api.ts";
import { useLeaveGuard } from "#ui/lib/use-leave-guard.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { PageHeader } from "../page-header.tsx";
import { getOpening, getSaved, LoadFailure, type Opening } from "./api.ts";
import { draftPaths } from "./draft.ts";
import { HistoryPanel } from "./history-panel.tsx";
import { MailPanel } from "./mail-panel.tsx";
import { AccountsSection, FirewallCard, RateLimitSection, SecuritySection } from "./security-sections.tsx";
import { RedisSection, StorageSection } from "./service-sections.tsx";
import { Section } from "./setting-field.tsx";
import { leads, type SectionId, sections, settingsPageTexts as texts } from "./texts.ts";
import { type SettingsForm, useSettingsForm } from "./use-settings-form.ts";
import { useSystemStatus } from "./use-system-status.ts";

/** Everything that admins set of the installation, and how the external services are doing. */
export const AdminSettingsPage = () => {
  const opening = useRef<Opening | null>(null);
  // Once is enough: what comes later must take nothing from anyone who is typing, so the form would not look at it.
  const load = useCallback(async () => {
    opening.current ??= await getOpening();
    return opening.current;
  }, []);
  const { data, error, isLoading, reload } = useLoad(load);
  return (
    <div className="grid gap-6">
      <PageHeader title={texts.title} lead={texts.lead} />
      {data === null && error !== null && (
        <Alert
          severity="error"
          title={error instanceof Error ? error.message : String(error)}
          actions={
            <Button variant="outline" size="sm" isBusy={isLoading} onClick={reload}>
              {texts.tryAgain}
            </Button>
          }
        >
          {reasonOf(error)}
        </Alert>
      )}
      {data === null && error === null && (
        <div aria-busy="true" className="motion-safe:animate-pulse">
          <span className="sr-only">{texts.loading}</span>
          <SettingsSkeleton />
        </div>
      )}
      {data !== null && <AllSettings opening={data} />}
    </div>
  );
};

const reasonOf = (error: unknown): string | undefined =>
  error instanceof LoadFailure && error.cause instanceof ApiError ? error.cause.message : undefined;

/** All settings with what belongs to them, the bar to save with, and the question before unsaved changes are left. */
const AllSettings = ({ opening }: { opening: Opening }) => {
  const element = useRef<HTMLFormElement>(null);
  const id = useId();
  const system = useSystemStatus(opening.status);
  // The history shows each saving as soon as it is done.
  const [savings, setSavings] = useState(0);
  const form = useSettingsForm({
    initial: opening.saved,
    isManaged: system.status !== null && isManagedByFirewall(system.status.firewall),
    form: element,
    onSaved: () => {
      setSavings((count) => count + 1);
      system.reload();
    },
  });
  const guard = useLeaveGuard(form.changed.length > 0);
  useSaveKeys(form.save);
  useSectionOfAddress();

  const onReverted = async () => {
    form.adopt(await getSaved());
    system.reload();
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
          <RedisSection form={form} system={system} />
          <StorageSection form={form} system={system} />
          <FirewallCard system={system} />
          <RateLimitSection form={form} system={system} />
          <SecuritySection form={form} system={system} />
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

/** The page's sections beside it, on wide windows: where the reader is, and the ways to the others. */
const SectionIndex = () => {
  const current = useSectionInSight();
  return (
    <nav aria-label={texts.onThisPage} className="sticky top-20 hidden w-44 shrink-0 self-start xl:block">
      <ul className="grid border-border border-l">
        {sections.map(({ id, name }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? "location" : undefined}
              className="-ml-px block border-transparent border-l-2 py-1.5 pl-3 text-[0.8125rem] text-muted-foreground outline-none transition-colors hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring aria-[current=location]:border-primary aria-[current=location]:text-foreground"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

// Where a section begins that its link has led to, below the bar, with room to spare.
const topPx = 160;

/** The section that the upper part of the window shows; the last one once the page ends. */
const useSectionInSight = (): SectionId => {
  const [current, setCurrent] = useState<SectionId>("redis");
  useEffect(() => {
    const look = () => {
      const { scrollHeight } = document.documentElement;
      const isAtEnd = window.scrollY > 0 && window.innerHeight + window.scrollY >= scrollHeight - 1;
      const reached = sections.filter(({ id }) => isAtEnd || topOf(id) <= topPx);
      setCurrent(reached.at(-1)?.id ?? "redis");
    };
    look();
    document.addEventListener("scroll", look, { passive: true });
    return () => document.removeEventListener("scroll", look);
  }, []);
  return current;
};

const topOf = (id: SectionId): number => document.getElementById(id)?.getBoundingClientRect().top ?? 0;

/** Stays at the foot of the window: what is not saved yet, the ways to save or to drop it, and why saving failed. */
const SaveBar = ({ form, formId }: { form: SettingsForm; formId: string }) => {
  const { changed, problems, isSaving } = form;
  const wrong = draftPaths(form.errors).length;
  const isIdle = changed.length === 0 && wrong === 0;
  return (
    <section
      aria-label={texts.bar}
      data-foot={problems.length > 0 ? "tall" : ""}
      className="sticky bottom-0 z-30 order-last grid gap-3 border-border bg-popover px-4 py-3 max-sm:-mx-4 max-sm:-mb-6 max-sm:border-t sm:bottom-4 sm:rounded-lg sm:border sm:px-5 sm:shadow-lg"
    >
      {problems.length > 0 && (
        <Alert severity="error" className="bg-card">
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Alert>
      )}
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
        <p
          role="status"
          className="min-w-0 grow text-[0.8125rem] text-muted-foreground tabular-nums max-sm:basis-full"
        >
          {stateOf(changed.length, wrong)}
        </p>
        {/* Both keep the focus when they have done what they do: the one that had it is where to continue from. */}
        <Button
          variant="outline"
          className={buttonLook}
          aria-disabled={isIdle}
          onClick={() => !isIdle && form.discard()}
        >
          {texts.discard}
        </Button>
        <Button
          type="submit"
          className={buttonLook}
          form={formId}
          aria-disabled={isIdle || isSaving}
          aria-busy={isSaving}
          onClick={(event) => isIdle && event.preventDefault()}
        >
          {isSaving && <Spinner />}
          {wrong > 0 ? texts.fix : texts.save}
        </Button>
      </div>
    </section>
  );
};

// Both side by side on the narrowest phone.
const buttonLook = "max-sm:grow max-sm:px-2 max-sm:text-[0.8125rem]";

const stateOf = (changed: number, wrong: number): string => {
  const parts = [changed === 0 ? texts.unchanged : texts.changed(changed)];
  return (wrong === 0 ? parts : [...parts, texts.wrong(wrong)]).join(" · ");
};

/** Has Ctrl-S and Cmd-S save, unless a dialog is open. */
const useSaveKeys = (save: () => Promise<void>): void => {
  const newest = useRef(save);
  useEffect(() => {
    newest.current = save;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isSave = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "s";
      if (!isSave) return;
      // Even where it does nothing here: no one wants the page as a file.
      event.preventDefault();
      if (document.querySelector("dialog:modal") === null) void newest.current();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
};

import { type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { securityPage } from "#contract/page-paths.ts";
import { LeaveQuestion } from "#ui/components/confirm-dialog.tsx";
import { SettingsSkeleton } from "#ui/components/page-skeleton.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { ApiError } from "#ui/lib/api.ts";
import { factorCardId } from "#ui/lib/session.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { LoadFailure } from "./api.ts";
import { draftPaths } from "./draft.ts";
import { settingsPageTexts as texts } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";

/** What was loaded, shown; until then its skeleton, or why it did not come. */
export const WhenLoaded = <T,>({
  load,
  children,
}: {
  load: () => Promise<T>;
  children: (data: T) => ReactNode;
}) => {
  const { data, error, isLoading, reload } = useLoad(load);
  if (data !== null) return children(data);
  if (error === null)
    return (
      <div aria-busy="true" className="motion-safe:animate-pulse">
        <span className="sr-only">{texts.loading}</span>
        <SettingsSkeleton />
      </div>
    );
  return (
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
  );
};

const reasonOf = (error: unknown): string | undefined =>
  error instanceof LoadFailure && error.cause instanceof ApiError ? error.cause.message : undefined;

type FormWithBarProps = {
  form: SettingsForm;
  element: RefObject<HTMLFormElement | null>;
  className: string;
  children: ReactNode;
};

/** A form of settings with the bar and the keys to save it with, and the question before unsaved changes are left. */
export const FormWithBar = ({ form, element, className, children }: FormWithBarProps) => {
  const id = useId();
  useSaveKeys(form.save);
  return (
    <>
      <form
        id={id}
        ref={element}
        noValidate
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          void form.save();
        }}
        className={className}
      >
        {children}
      </form>
      {/* Here for the keyboard, right behind what it saves; for the eye at the foot of the window. */}
      <SaveBar form={form} formId={id} />
      <LeaveQuestion isHeld={form.changed.length > 0} question={texts.leaveText(form.changed.length)} />
    </>
  );
};

/** Stays at the foot of the window: what is not saved yet, the ways to save or to drop it, and why saving failed. */
const SaveBar = ({ form, formId }: { form: SettingsForm; formId: string }) => {
  const { changed, problems, needsFactor, isSaving } = form;
  const wrong = draftPaths(form.errors).length;
  const isIdle = changed.length === 0 && wrong === 0;
  return (
    <section
      aria-label={texts.bar}
      data-foot={problems.length > 0 ? "tall" : ""}
      className="sticky bottom-0 z-30 order-last grid gap-3 border-border bg-popover px-4 py-3 max-sm:-mx-4 max-sm:-mb-6 max-sm:border-t sm:bottom-4 sm:rounded-lg sm:border sm:px-5 sm:shadow-lg"
    >
      {problems.length > 0 && (
        <Alert severity="error" className="bg-card" actions={needsFactor ? setUpFactor : undefined}>
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

const setUpFactor = (
  <a href={`${securityPage}#${factorCardId}`} className={buttonVariants({ variant: "outline", size: "sm" })}>
    {texts.setUpFactor}
  </a>
);

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

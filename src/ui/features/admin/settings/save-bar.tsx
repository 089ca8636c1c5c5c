import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { draftPaths } from "./draft.ts";
import { settingsPageTexts as texts } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";

/** Stays at the foot of the window: what is not saved yet, the ways to save or to drop it, and why saving failed. */
export const SaveBar = ({ form, formId }: { form: SettingsForm; formId: string }) => {
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
        {/* Both keep the focus when they have done what they do: the one that had it is where to go on from. */}
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

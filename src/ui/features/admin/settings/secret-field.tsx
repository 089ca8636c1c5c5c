import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import type { SecretPath } from "./draft.ts";
import { fieldsTexts as texts } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";

type SecretFieldProps = { form: SettingsForm; path: SecretPath; label: string; hint?: ReactNode };

/** A secret: what is saved is never shown, what is typed only on demand, and what is saved can be marked for removal. */
export const SecretField = ({ form, path, label, hint }: SecretFieldProps) => {
  const [isShown, setIsShown] = useState(false);
  const value = form.draft[path];
  const isRemoved = value === null;
  const hasSaved = form.saved.hasSecret[path];
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field
      label={label}
      hint={hint}
      error={form.errors[path]}
      aside={
        hasSaved && (
          <button
            type="button"
            onClick={() => form.set(path, isRemoved ? "" : null)}
            className="-my-3 cursor-pointer rounded-sm py-3 text-[0.8125rem] text-primary underline underline-offset-4 outline-none focus-visible:ring-2 focus-visible:ring-ring md:-my-0.5 md:py-0.5"
          >
            {isRemoved ? texts.keep : texts.remove}
            <span className="sr-only"> {label}</span>
          </button>
        )
      }
    >
      <div className="relative">
        <Input
          name={path}
          type={isShown ? "text" : "password"}
          // Else browsers offer the password of the account, which is no secret of a service.
          autoComplete="new-password"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          disabled={isRemoved}
          placeholder={placeholderOf(isRemoved, hasSaved && form.errors[path] === undefined)}
          value={value ?? ""}
          onChange={({ target }) => form.set(path, target.value)}
          className={value ? "pr-12" : undefined}
        />
        {value && (
          <button
            type="button"
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-11 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset md:w-9"
          >
            <Icon aria-hidden="true" className="size-4" />
            {/* Words, not a label of its own: whoever looks for the field by its label finds one. */}
            <span className="sr-only">
              {isShown ? texts.hide : texts.show} {label}
            </span>
          </button>
        )}
      </div>
    </Field>
  );
};

const placeholderOf = (isRemoved: boolean, isKept: boolean): string | undefined => {
  if (isRemoved) return texts.secretRemoved;
  return isKept ? texts.secretSaved : undefined;
};

import { type ReactNode, useId } from "react";
import { Field, Label } from "#ui/components/ui/field.tsx";
import { RevealInput } from "#ui/components/ui/reveal-input.tsx";
import { Switch } from "#ui/components/ui/switch.tsx";
import { cn } from "#ui/lib/cn.ts";
import { fieldsTexts as texts } from "./texts.ts";

type RowProps = { label: string; hint: ReactNode; error: string | undefined };

type SwitchRowProps = RowProps & {
  checked: boolean;
  disabled?: boolean;
  onChange: (isOn: boolean) => void;
  className?: string;
};

/** A setting that is on or off. */
export const SwitchRow = ({
  label,
  hint,
  error,
  checked,
  disabled = false,
  onChange,
  className,
}: SwitchRowProps) => {
  const id = useId();
  const hasHint = hint !== undefined && hint !== "";
  const described = [error !== undefined && `${id}-error`, hasHint && `${id}-hint`].filter(Boolean);
  return (
    <div className={cn("flex items-start justify-between gap-4", className)}>
      <div className="grid min-w-0 gap-0.5">
        <Label htmlFor={id}>{label}</Label>
        {hasHint && (
          <div id={`${id}-hint`} className="wrap-anywhere text-[0.8125rem] text-muted-foreground leading-5">
            {hint}
          </div>
        )}
        {error !== undefined && (
          <p id={`${id}-error`} role="alert" className="text-[0.8125rem] text-destructive">
            {error}
          </p>
        )}
      </div>
      <Switch
        id={id}
        aria-describedby={described.length > 0 ? described.join(" ") : undefined}
        disabled={disabled}
        checked={checked}
        onCheckedChange={onChange}
      />
    </div>
  );
};

type SecretFieldProps = RowProps & {
  name: string;
  /** What was typed, or `null` once what is stored is marked for removal. */
  value: string | null;
  isStored: boolean;
  /** Shown while it is empty and nothing is stored. */
  placeholder?: string | undefined;
  onChange: (value: string | null) => void;
};

/** A secret: what is saved is never shown, what is typed only on demand, and what is saved can be marked for removal. */
export const SecretField = ({
  label,
  hint,
  error,
  name,
  value,
  isStored,
  placeholder,
  onChange,
}: SecretFieldProps) => {
  const isRemoved = value === null;
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      aside={
        isStored && (
          <button
            type="button"
            onClick={() => onChange(isRemoved ? "" : null)}
            className="-my-3 cursor-pointer rounded-sm py-3 text-[0.8125rem] text-primary underline underline-offset-4 outline-none focus-visible:ring-2 focus-visible:ring-ring md:-my-0.5 md:py-0.5"
          >
            {isRemoved ? texts.keep : texts.remove}
            <span className="sr-only"> {label}</span>
          </button>
        )
      }
    >
      <RevealInput
        name={name}
        words={value ? { show: `${texts.show} ${label}`, hide: `${texts.hide} ${label}` } : undefined}
        // Else browsers offer the password of the account, which is no secret of a service or a plugin.
        autoComplete="new-password"
        disabled={isRemoved}
        placeholder={isStored ? storedHint(isRemoved, error) : placeholder}
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value)}
      />
    </Field>
  );
};

/** What an empty field does to a stored secret; not said beside an error, which may demand a new one. */
const storedHint = (isRemoved: boolean, error: string | undefined): string | undefined => {
  if (isRemoved) return texts.secretRemoved;
  return error === undefined ? texts.secretSaved : undefined;
};

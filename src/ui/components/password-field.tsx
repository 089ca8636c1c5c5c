import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Field } from "./ui/field.tsx";
import { Input } from "./ui/input.tsx";

type PasswordFieldProps = {
  label: string;
  name: string;
  autoComplete: "current-password" | "new-password";
  error?: string | null | undefined;
  hint?: ReactNode;
  /** Adds the button that shows what was typed. */
  canReveal?: boolean;
};

/** A password, hidden unless revealed; pasting and password managers work. */
export const PasswordField = ({ label, error, hint, canReveal = false, ...input }: PasswordFieldProps) => {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field label={label} error={error} hint={hint}>
      <div className="relative">
        <Input
          {...input}
          type={isShown ? "text" : "password"}
          required
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={canReveal ? "pr-12" : undefined}
        />
        {canReveal && (
          <button
            type="button"
            aria-label={isShown ? "Hide password" : "Show password"}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 grid w-11 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset disabled:cursor-not-allowed md:w-9"
          >
            <Icon aria-hidden="true" className="size-4" />
          </button>
        )}
      </div>
    </Field>
  );
};

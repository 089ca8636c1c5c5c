import { useState } from "react";
import { pageAuthTexts } from "#contract/page-auth-texts.ts";
import { passwordStrength, type StrengthTone } from "#contract/password-strength.ts";
import { cn } from "#ui/lib/cn.ts";
import { useIsCommonPassword } from "#ui/lib/common-passwords.ts";
import { PasswordField } from "./password-field.tsx";

type NewPasswordFieldProps = { label: string; name: string; error: string | null | undefined };

/** A password that is being chosen, which can be shown, and how strong it is. */
export const NewPasswordField = (props: NewPasswordFieldProps) => {
  const [typed, setTyped] = useState("");
  return (
    <>
      <PasswordField {...props} autoComplete="new-password" canReveal onType={setTyped} />
      <StrengthMeter password={typed} isToldCommon={props.error === pageAuthTexts.passwordCommon} />
    </>
  );
};

/**
 * Five bars and a word for a new password's strength; empty bars until something is typed. The word counts kinds of
 * characters; a password which the server refuses as too common is the weakest, and named beside it, unless the field does.
 */
const StrengthMeter = ({ password, isToldCommon }: { password: string; isToldCommon: boolean }) => {
  const isCommon = useIsCommonPassword(password);
  const { score, label, tone } = passwordStrength(password, isCommon);
  const isEmpty = password === "";
  // The weakest password still shows one bar, so that the colour can be seen.
  const filled = isEmpty ? 0 : Math.max(score, 1);
  return (
    <div className="-mt-2 grid gap-1.5">
      {/* Bars that take the theme's colours, and the real meter for those who do not see them. */}
      <meter className="sr-only" aria-label="Password strength" min={0} max={5} value={score} />
      <div aria-hidden="true" className="grid grid-cols-5 gap-1">
        {[1, 2, 3, 4, 5].map((bar) => (
          <span
            key={bar}
            className={cn(
              "h-1 rounded-full transition-colors duration-150",
              bar <= filled ? fills[tone] : "bg-border",
            )}
          />
        ))}
      </div>
      <div aria-live="polite" className="min-h-5 text-[0.8125rem]">
        <p className="text-muted-foreground">
          {isEmpty
            ? "At least 8 characters. A few unrelated words make a good one."
            : `Password strength: ${label}`}
        </p>
        {isCommon && !isToldCommon && <p className="text-destructive">{pageAuthTexts.passwordCommon}</p>}
      </div>
    </div>
  );
};

// The text-safe warning colour is too dark to read as orange in a bar, the second chart colour is not.
const fills: Record<StrengthTone, string> = {
  destructive: "bg-destructive",
  warning: "bg-chart-2",
  success: "bg-success",
};

import { useEffect, useState } from "react";
import type { Account } from "#api/modules/account/contract.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { type ProviderName, providerLabels } from "#contract/users.ts";
import { PasswordField } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { beginLink } from "./api.ts";
import { accountScreenTexts as texts } from "./texts.ts";
import { UsernameHint } from "./username-hint.tsx";

type LinkDialogProps = { name: ProviderName; account: Account; onClose: () => void };

/** Says what a link opens, has the owner prove themselves, and leads on to the provider. */
export const LinkDialog = ({ name, account, onClose }: LinkDialogProps) => {
  const { user, hasPassword } = account;
  const label = providerLabels[name];
  const leave = useLeaving(onClose);
  const { formProps, errors, problem, isBusy } = useForm({
    rules: {
      password: (value) => (hasPassword && value === "" ? pageAuthTexts.passwordRequired : null),
    },
    send: async ({ password }) => leave.to(await beginLink(name, hasPassword ? password : null)),
    explain: (error) => failureText(error, texts.linkFailed),
  });
  const isGoing = isBusy || leave.isLeaving;
  return (
    <Dialog open onOpenChange={onClose} title={texts.linkTitle(label)} description={texts.linkLead(label)}>
      <form {...formProps}>
        <fieldset disabled={isGoing} className="grid gap-5">
          {problem !== null && <Alert severity="error">{problem.message}</Alert>}
          <UsernameHint email={user.email} />
          {hasPassword ? (
            <PasswordField
              label={texts.yourPassword}
              name="password"
              autoComplete="current-password"
              error={errors.password}
            />
          ) : (
            <p className="text-sm">{texts.linkWithoutPassword}</p>
          )}
          <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            <Button variant="outline" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button type="submit" isBusy={isGoing}>
              {texts.linkConfirm(label)}
            </Button>
          </div>
        </fieldset>
      </form>
    </Dialog>
  );
};

// Until the browser has left, the button stays as it was pressed. Back by the browser's own button the page is as it
// was left: the dialog ends then, and with it the password that was typed.
const useLeaving = (onReturn: () => void) => {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    // Here, because a dialog that was closed meanwhile must lead nowhere: its effects do not run any more.
    if (url !== null) window.location.assign(url);
  }, [url]);
  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onReturn();
    };
    window.addEventListener("pageshow", comeBack);
    return () => window.removeEventListener("pageshow", comeBack);
  }, [onReturn]);
  return { to: setUrl, isLeaving: url !== null };
};

import { useEffect } from "react";
import { useLocation } from "wouter";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import type { ProofWanted } from "#contract/proof.ts";
import { confirmWith, failureText } from "#ui/lib/api.ts";
import { loginPath } from "#ui/lib/page-token.ts";
import { logout, useSession } from "#ui/lib/session.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { PasswordField } from "./password-field.tsx";
import { Alert } from "./ui/alert.tsx";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";
import { useForm } from "./ui/use-form.ts";

/** What is to be shown, and what to do with the outcome. */
export type ProofQuestion = { wanted: ProofWanted; answer: (isConfirmed: boolean) => void };

/** Asks anyone who signed in some time ago for the password, or, where the account has none, to sign in again. */
export const ProofDialog = ({ wanted, answer }: ProofQuestion) => {
  const { user } = useSession();
  const cancel = () => answer(false);
  // Anyone who was signed out meanwhile has nothing to confirm.
  const isGone = user === null;
  useEffect(() => {
    if (isGone) answer(false);
  }, [isGone, answer]);
  return (
    <Dialog open onOpenChange={cancel} title={proofTexts.title} description={proofTexts.lead}>
      {wanted.ways.includes("password") ? (
        <PasswordForm email={user?.email ?? ""} onConfirmed={() => answer(true)} onCancel={cancel} />
      ) : (
        <SignInAgain onCancel={cancel} />
      )}
    </Dialog>
  );
};

type PasswordFormProps = { email: string; onConfirmed: () => void; onCancel: () => void };

const PasswordForm = ({ email, onConfirmed, onCancel }: PasswordFormProps) => {
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { password: (value) => (value === "" ? pageAuthTexts.passwordRequired : null) },
    send: async ({ password }) => {
      await confirmWith(password);
      onConfirmed();
    },
    explain: (error) => failureText(error, proofTexts.failed),
  });
  return (
    <form {...formProps}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {problem !== null && <Alert severity="error">{problem.message}</Alert>}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label={proofTexts.password}
          name="password"
          autoComplete="current-password"
          error={errors.password}
        />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button variant="outline" onClick={onCancel}>
            {proofTexts.cancel}
          </Button>
          <Button type="submit" isBusy={isBusy}>
            {proofTexts.confirm}
          </Button>
        </div>
      </fieldset>
    </form>
  );
};

const SignInAgain = ({ onCancel }: { onCancel: () => void }) => {
  const [path, navigate] = useLocation();
  const { act, isBusy, error } = useAct(() => logout(() => navigate(loginPath(path))));
  return (
    <div className="grid gap-5">
      {error !== null && <Alert severity="error">{failureText(error, proofTexts.signOutFailed)}</Alert>}
      <p className="text-sm">{proofTexts.signInLead}</p>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="outline" onClick={onCancel}>
          {proofTexts.cancel}
        </Button>
        <Button isBusy={isBusy} onClick={act}>
          {proofTexts.signInAgain}
        </Button>
      </div>
    </div>
  );
};

/** Words of the question. */
export const proofTexts = {
  title: "Confirm it's you",
  lead: "You signed in more than 10 minutes ago.",
  password: "Your password",
  cancel: "Cancel",
  confirm: "Confirm",
  failed: "This could not be confirmed",
  signInLead: "Your account has no password. Sign in again, then repeat what you were doing.",
  signInAgain: "Sign in again",
  signOutFailed: "You could not be signed out. Please try again.",
} as const;

import { type ReactNode, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import type { ProofWanted } from "#contract/proof.ts";
import { confirmWith, failureText } from "#ui/lib/api.ts";
import { loginPath } from "#ui/lib/page-token.ts";
import { logout, useSession } from "#ui/lib/session.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { CodeField, codeComplaint } from "./code-field.tsx";
import { PasswordField } from "./password-field.tsx";
import { Alert } from "./ui/alert.tsx";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";
import { useForm } from "./ui/use-form.ts";

/** What is to be shown, and what to do with the outcome. */
export type ProofQuestion = { wanted: ProofWanted; answer: (isConfirmed: boolean) => void };

/**
 * Asks for a code of the authenticator app or the password, whatever the server takes, or, where the account has neither, to sign
 * in again.
 */
export const ProofDialog = ({ wanted, answer }: ProofQuestion) => {
  const { user } = useSession();
  const cancel = () => answer(false);
  // Anyone who was signed out meanwhile has nothing to confirm.
  const isGone = user === null;
  useEffect(() => {
    if (isGone) answer(false);
  }, [isGone, answer]);
  const [hasCode, hasPassword] = [wanted.ways.includes("code"), wanted.ways.includes("password")];
  const [isByCode, setIsByCode] = useState(hasCode);
  const ends = { onConfirmed: () => answer(true), onCancel: cancel };
  return (
    <Dialog
      open
      onOpenChange={cancel}
      title={proofTexts.title}
      description={wanted.wanted === "factor" ? proofTexts.factorLead : proofTexts.lead}
    >
      {isByCode && <CodeForm {...ends} />}
      {!isByCode && hasPassword && <PasswordForm email={user?.email ?? ""} {...ends} />}
      {hasCode && hasPassword && (
        <Button
          variant="link"
          size="inline"
          onClick={() => setIsByCode(!isByCode)}
          className="justify-self-start"
        >
          {isByCode ? proofTexts.usePassword : proofTexts.useCode}
        </Button>
      )}
      {!hasCode && !hasPassword && <SignInAgain onCancel={cancel} />}
    </Dialog>
  );
};

type FormEnds = { onConfirmed: () => void; onCancel: () => void };

const CodeForm = ({ onConfirmed, onCancel }: FormEnds) => {
  const form = useForm({
    rules: { code: codeComplaint },
    send: async ({ code }) => {
      await confirmWith({ code });
      onConfirmed();
    },
    explain: (error) => failureText(error, proofTexts.failed),
  });
  return (
    <ProofForm {...form} onCancel={onCancel}>
      <CodeField error={form.errors.code} />
    </ProofForm>
  );
};

const PasswordForm = ({ email, onConfirmed, onCancel }: FormEnds & { email: string }) => {
  const form = useForm({
    rules: { password: (value) => (value === "" ? pageAuthTexts.passwordRequired : null) },
    send: async ({ password }) => {
      await confirmWith({ password });
      onConfirmed();
    },
    explain: (error) => failureText(error, proofTexts.failed),
  });
  return (
    <ProofForm {...form} onCancel={onCancel}>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={proofTexts.password}
        name="password"
        autoComplete="current-password"
        error={form.errors.password}
      />
    </ProofForm>
  );
};

type ProofFormProps = Pick<ReturnType<typeof useForm>, "formProps" | "problem" | "isBusy"> & {
  onCancel: () => void;
  children: ReactNode;
};

const ProofForm = ({ formProps, problem, isBusy, onCancel, children }: ProofFormProps) => (
  <form {...formProps}>
    <fieldset disabled={isBusy} className="grid gap-5">
      {problem !== null && <Alert severity="error">{problem.message}</Alert>}
      {children}
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
  factorLead: "This needs a code from your authenticator app, even though you are signed in.",
  password: "Your password",
  usePassword: "Use your password instead",
  useCode: "Use an authentication code instead",
  cancel: "Cancel",
  confirm: "Confirm",
  failed: "This could not be confirmed",
  signInLead: "Your account has no password. Sign in again, then repeat what you were doing.",
  signInAgain: "Sign in again",
  signOutFailed: "You could not be signed out. Please try again.",
} as const;

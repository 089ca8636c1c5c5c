import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import type { ConfirmWay, ProofWanted } from "#contract/proof.ts";
import { client, confirmWith, failureText } from "#ui/lib/api.ts";
import { loginPath } from "#ui/lib/page-token.ts";
import { canUsePasskeys, passkeyScreenTexts, takePasskey, useCeremony } from "#ui/lib/passkeys.ts";
import { logout, useSession } from "#ui/lib/session.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { CodeField, codeComplaint } from "./code-field.tsx";
import { Form, FormButtons } from "./form.tsx";
import { PasswordField, UsernameHint } from "./password-field.tsx";
import { Alert } from "./ui/alert.tsx";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";
import { useForm } from "./ui/use-form.ts";

/** What is to be shown, and what to do with the outcome. */
export type ProofQuestion = { wanted: ProofWanted; answer: (isConfirmed: boolean) => void };

/**
 * Asks for a passkey, a code of the authenticator app, the password or a sign-in with a provider, whatever the server takes, or, where
 * there is none of them, to sign in again.
 */
export const ProofDialog = ({ wanted, answer }: ProofQuestion) => {
  const { user } = useSession();
  const cancel = () => answer(false);
  // Anyone who was signed out meanwhile has nothing to confirm.
  const isGone = user === null;
  useEffect(() => {
    if (isGone) answer(false);
  }, [isGone, answer]);
  const providers = wanted.ways.filter((way) => !ownWays.some((own) => own === way));
  const ways: readonly ShownWay[] = [
    ...ownWays.filter((way) => wanted.ways.includes(way) && (way !== "passkey" || canUsePasskeys())),
    ...(providers.length > 0 ? (["provider", "again"] as const) : []),
  ];
  const [chosen = "again", setChosen] = useState(ways[0]);
  const ends = { onConfirmed: () => answer(true), onCancel: cancel };
  return (
    <Dialog
      open
      onOpenChange={cancel}
      title={proofTexts.title}
      description={wanted.wanted === "factor" ? proofTexts.factorLead : proofTexts.lead}
    >
      {chosen === "passkey" && <PasskeyForm {...ends} />}
      {chosen === "code" && <CodeForm {...ends} />}
      {chosen === "password" && <PasswordForm email={user?.email ?? ""} {...ends} />}
      {chosen === "provider" && <ProviderForm ids={providers} onCancel={cancel} />}
      {chosen === "again" && <SignInAgain hasPasskey={wanted.ways.includes("passkey")} onCancel={cancel} />}
      {ways
        .filter((way) => way !== chosen && (way !== "again" || chosen === "provider"))
        .map((way) => (
          <Button
            key={way}
            variant="link"
            size="inline"
            onClick={() => setChosen(way)}
            className="justify-self-start"
          >
            {proofTexts.use[way]}
          </Button>
        ))}
    </Dialog>
  );
};

const ownWays = ["passkey", "code", "password"] as const satisfies ConfirmWay[];
type ShownWay = (typeof ownWays)[number] | "provider" | "again";

type FormEnds = { onConfirmed: () => void; onCancel: () => void };

const PasskeyForm = ({ onConfirmed, onCancel }: FormEnds) => {
  const { isBusy, problem, start, cancel } = useCeremony(async (signal) => {
    await confirmWith(await takePasskey((await client.account.beginConfirm()).data, signal));
    onConfirmed();
  }, proofTexts.failed);
  const leave = () => {
    cancel();
    onCancel();
  };
  return (
    <>
      {problem !== null && <Alert severity="error">{problem}</Alert>}
      <p role="status" className="text-sm empty:hidden">
        {isBusy && passkeyScreenTexts.waiting}
      </p>
      <FormButtons
        onCancel={leave}
        action={proofTexts.continueWithPasskey}
        isBusy={isBusy}
        onClick={start}
        autoFocus
      />
    </>
  );
};

const CodeForm = ({ onConfirmed, onCancel }: FormEnds) => {
  const { errors, ...form } = useForm({
    rules: { code: codeComplaint },
    send: async ({ code }) => {
      await confirmWith({ code });
      onConfirmed();
    },
    explain: (error) => failureText(error, proofTexts.failed),
  });
  return (
    <Form form={form}>
      <CodeField error={errors.code} />
      <FormButtons onCancel={onCancel} action={proofTexts.confirm} isBusy={form.isBusy} />
    </Form>
  );
};

const PasswordForm = ({ email, onConfirmed, onCancel }: FormEnds & { email: string }) => {
  const { errors, ...form } = useForm({
    rules: { password: (value) => (value === "" ? pageAuthTexts.passwordRequired : null) },
    send: async ({ password }) => {
      await confirmWith({ password });
      onConfirmed();
    },
    explain: (error) => failureText(error, proofTexts.failed),
  });
  return (
    <Form form={form}>
      <UsernameHint email={email} />
      <PasswordField
        label={proofTexts.password}
        name="password"
        autoComplete="current-password"
        error={errors.password}
      />
      <FormButtons onCancel={onCancel} action={proofTexts.confirm} isBusy={form.isBusy} />
    </Form>
  );
};

const loadProviders = async () => (await client.auth.providers()).data.providers;

const ProviderForm = ({ ids, onCancel }: { ids: readonly string[]; onCancel: () => void }) => {
  const { data, error } = useLoad(loadProviders);
  return (
    <div className="grid gap-5">
      {error !== null && <Alert severity="error">{failureText(error, proofTexts.failed)}</Alert>}
      <p className="text-sm">{proofTexts.providerLead}</p>
      {data?.flatMap(({ id, label }) =>
        ids.includes(id) ? [<ProviderButton key={id} id={id} label={label} />] : [],
      )}
      <Button variant="outline" onClick={onCancel} className="sm:justify-self-end">
        {proofTexts.cancel}
      </Button>
    </div>
  );
};

const ProviderButton = ({ id: provider, label }: { id: string; label: string }) => {
  const { act, isBusy, error } = useAct(async () => {
    const { pathname, search } = window.location;
    const { data } = await client.account.confirmWithProvider({ provider, returnTo: pathname + search });
    window.location.assign(data.url);
  });
  return (
    <>
      {error !== null && <Alert severity="error">{failureText(error, proofTexts.failed)}</Alert>}
      <Button isBusy={isBusy} onClick={act}>
        {proofTexts.continueWith(label)}
      </Button>
    </>
  );
};

const SignInAgain = ({ hasPasskey, onCancel }: { hasPasskey: boolean; onCancel: () => void }) => {
  const [path, navigate] = useLocation();
  const { act, isBusy, error } = useAct(() => logout(() => navigate(loginPath(path))));
  return (
    <div className="grid gap-5">
      {error !== null && <Alert severity="error">{failureText(error, proofTexts.signOutFailed)}</Alert>}
      <p className="text-sm">{hasPasskey ? proofTexts.passkeyElsewhere : proofTexts.signInLead}</p>
      <FormButtons onCancel={onCancel} action={proofTexts.signInAgain} isBusy={isBusy} onClick={act} />
    </div>
  );
};

/** Words of the question. */
export const proofTexts = {
  title: "Confirm it's you",
  lead: "You signed in more than 10 minutes ago.",
  factorLead: "This needs your second factor, even though you are signed in.",
  password: "Your password",
  use: {
    passkey: "Use a passkey instead",
    code: "Use an authentication code instead",
    password: "Use your password instead",
    provider: "Use a sign-in provider instead",
    again: "Sign out and sign in again instead",
  },
  continueWithPasskey: "Continue with a passkey",
  providerLead: "Sign in with your provider again, then repeat what you were doing.",
  continueWith: (label: string) => `Continue with ${label}`,
  cancel: "Cancel",
  confirm: "Confirm",
  failed: "This could not be confirmed",
  signInLead: "Your account has no password. Sign in again, then repeat what you were doing.",
  passkeyElsewhere:
    "This browser can't use your passkey. Sign in again with a recovery code, then repeat what you were doing.",
  signInAgain: "Sign in again",
  signOutFailed: "You could not be signed out. Please try again.",
} as const;

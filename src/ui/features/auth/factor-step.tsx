import { useEffect, useRef, useState } from "react";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { type FactorWay, factorWays } from "#contract/proof.ts";
import type { User } from "#contract/users.ts";
import { CodeField, codeComplaint } from "#ui/components/code-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { ApiError, failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { originFrom } from "#ui/lib/page-token.ts";
import { canUsePasskeys, takePasskey, useCeremony } from "#ui/lib/passkeys.ts";
import { enter, useLeave } from "./arrivals.ts";
import { AuthCard, TextLink } from "./auth-card.tsx";
import { PasskeyButton } from "./passkey-sign-in.tsx";
import { authScreenTexts as texts } from "./texts.ts";

type FactorStepProps = {
  /** In which ways the reader can give the second factor; `null` when that is not known. */
  ways: readonly FactorWay[] | null;
  /** Where the first step is. */
  backHref: string;
  /** Called with the server's words when the first step doesn't count anymore. */
  onExpired: (message: string) => void;
};

/** The second step of signing in: a passkey, a code of the authenticator app, or a recovery code. */
export const FactorStep = ({ ways: known, backHref, onExpired }: FactorStepProps) => {
  const ways = (known ?? factorWays).filter((way) => way !== "passkey" || canUsePasskeys());
  const [chosen, setChosen] = useState<FactorWay>((known !== null && ways[0]) || "code");
  return (
    <AuthCard
      title={texts.factor}
      lead={texts.factorLead}
      footer={
        <>
          <p>
            {texts.factorLost}{" "}
            <TextLink href="/contact" state={lockedOut}>
              {texts.factorHelp}
            </TextLink>
          </p>
          <p>
            <TextLink href={backHref}>{texts.backToSignIn}</TextLink>
          </p>
        </>
      }
    >
      <div className="grid gap-3">
        {chosen === "passkey" ? (
          <PasskeyFactor onExpired={onExpired} />
        ) : (
          <FactorForm key={chosen} isRecovery={chosen === "recovery"} onExpired={onExpired} />
        )}
        {ways
          .filter((way) => way !== chosen)
          .map((way) => (
            <Button
              key={way}
              variant="link"
              size="inline"
              onClick={() => setChosen(way)}
              className="justify-self-center"
            >
              {texts.useWay[way]}
            </Button>
          ))}
      </div>
    </AuthCard>
  );
};

/** What the contact form begins with for members who have neither their app nor a recovery code. */
const lockedOut = { subject: "Support", message: texts.factorHelpMessage };

/** Takes over the user who has signed in and leads on: the page stays for others who are signed in. */
const useFinish = () => {
  const leave = useLeave();
  return (user: User) => {
    enter(user);
    leave(originFrom(window.location.search));
  };
};

const PasskeyFactor = ({ onExpired }: { onExpired: (message: string) => void }) => {
  const finish = useFinish();
  const ceremony = useCeremony(async (signal) => {
    try {
      const { data } = await client.auth.beginFactor();
      finish((await client.auth.loginWithFactor(await takePasskey(data, signal))).user);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "NOT_SIGNED_IN") throw error;
      onExpired(error.message);
    }
  }, texts.passkeyFailed);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("button")?.focus(), []);
  return (
    <div ref={box}>
      <PasskeyButton {...ceremony} label={texts.continueWithPasskey} variant="default" />
    </div>
  );
};

type FactorFormProps = { isRecovery: boolean; onExpired: (message: string) => void };

const FactorForm = ({ isRecovery, onExpired }: FactorFormProps) => {
  const finish = useFinish();
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { code: isRecovery ? missingComplaint : codeComplaint },
    send: async ({ code }) => {
      try {
        const { user } = await client.auth.loginWithFactor(isRecovery ? { recoveryCode: code } : { code });
        finish(user);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === "NOT_SIGNED_IN") return onExpired(error.message);
        throw error.code === "CODE_INVALID" ? besideField(error, isRecovery) : error;
      }
    },
    explain: (error) => failureText(error, texts.factorFailed),
  });
  return (
    <form {...formProps}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {problem !== null && <Alert severity="error">{problem.message}</Alert>}
        {isRecovery ? <RecoveryCodeField error={errors.code} /> : <CodeField error={errors.code} />}
        <Button type="submit" size="lg" isBusy={isBusy}>
          {texts.continue}
        </Button>
      </fieldset>
    </form>
  );
};

const missingComplaint = (code: string) => (code.trim() === "" ? pageAuthTexts.codeRequired : null);

const RecoveryCodeField = ({ error }: { error: string | undefined }) => (
  <Field label={texts.recoveryCode} error={error} hint={texts.recoveryCodeHint}>
    <Input
      name="code"
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      autoFocus
    />
  </Field>
);

// The server's advice to wait for the next code is no help with a recovery code.
const besideField = (error: ApiError, isRecovery: boolean): ApiError => {
  const message = isRecovery ? texts.recoveryCodeWrong : error.message;
  return new ApiError(message, { ...error, errors: [{ path: "code", message }], cause: error });
};

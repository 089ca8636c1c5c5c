import { useState } from "react";
import { CodeField, codeComplaint } from "#ui/components/code-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { ApiError, failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { enter } from "./arrivals.ts";
import { AuthCard, TextLink } from "./auth-card.tsx";
import { authScreenTexts as texts } from "./texts.ts";

type FactorStepProps = {
  hasRecoveryCodes: boolean;
  /** Where the first step is. */
  backHref: string;
  /** Called with the server's words when the first step doesn't count anymore. */
  onExpired: (message: string) => void;
};

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export const FactorStep = ({ hasRecoveryCodes, backHref, onExpired }: FactorStepProps) => {
  const [isRecovery, setIsRecovery] = useState(false);
  return (
    <AuthCard
      title={texts.factor}
      lead={texts.factorLead}
      footer={
        <>
          <p>
            {texts.factorLost} <TextLink href="/contact">{texts.factorHelp}</TextLink>
          </p>
          <p>
            <TextLink href={backHref}>{texts.backToSignIn}</TextLink>
          </p>
        </>
      }
    >
      <div className="grid gap-3">
        <FactorForm key={String(isRecovery)} isRecovery={isRecovery} onExpired={onExpired} />
        {hasRecoveryCodes && (
          <Button
            variant="link"
            size="inline"
            onClick={() => setIsRecovery(!isRecovery)}
            className="justify-self-center"
          >
            {isRecovery ? texts.useApp : texts.useRecoveryCode}
          </Button>
        )}
      </div>
    </AuthCard>
  );
};

type FactorFormProps = { isRecovery: boolean; onExpired: (message: string) => void };

const FactorForm = ({ isRecovery, onExpired }: FactorFormProps) => {
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { code: codeComplaint },
    send: async ({ code }) => {
      try {
        const { user } = await client.auth.loginWithFactor(isRecovery ? { recoveryCode: code } : { code });
        enter(user);
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

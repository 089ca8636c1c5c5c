import { useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { emailComplaint } from "#contract/account-rules.ts";
import { isForFailedSignIns, pageAuthTexts } from "#contract/auth-texts.ts";
import { type FactorWay, factorWays } from "#contract/proof.ts";
import type { User } from "#contract/users.ts";
import { CodeField, codeComplaint } from "#ui/components/code-field.tsx";
import { Form } from "#ui/components/form.tsx";
import { PasswordField } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input, PlainInput } from "#ui/components/ui/input.tsx";
import { type FormProblem, type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { ApiError, client, failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { originFrom, wasSignedOut } from "#ui/lib/page-token.ts";
import { canUsePasskeys, takePasskey, useCeremony } from "#ui/lib/passkeys.ts";
import { useHydrated } from "#ui/lib/use-load.ts";
import { enter, readArrival, useLeave, useLeaveWhenSignedIn } from "./arrivals.ts";
import { AuthCard, SignedUpAs, TextLink } from "./auth-card.tsx";
import { PasskeyButton, PasskeySignIn } from "./passkey-sign-in.tsx";
import { SocialButtons, useRegistration } from "./social-buttons.tsx";
import { authScreenTexts as texts } from "./texts.ts";

const rules: FormRules<"email" | "password"> = {
  email: emailComplaint,
  password: (value) => (value === "" ? pageAuthTexts.passwordRequired : null),
};

/** Sign In: with a password, then with the second factor of those who have one; a signed-in user is sent on. */
export const LoginPage = () => {
  useLeaveWhenSignedIn(onwardFrom);
  const isHydrated = useHydrated();
  const [search, setSearch] = useSearchParams();
  const [typed, setTyped] = useState<string | null>(null);
  // Unknown after a reload, and when a provider led here.
  const [ways, setWays] = useState<readonly FactorWay[] | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  // The step is in the address, so that a reload keeps it, and so that providers can lead to it.
  if (isHydrated && isSecondStep(search)) {
    const first = firstStepOf(search);
    return (
      <FactorStep
        ways={ways}
        backHref={first.size === 0 ? "/login" : `/login?${first}`}
        onExpired={(message) => {
          setNotice(message);
          setSearch(first, { replace: true });
        }}
      />
    );
  }
  return (
    // Made ahead of time it is the page of the second step, too, until that is drawn.
    <div className={cn(!isHydrated && "factor-step:invisible")}>
      <PasswordStep
        typed={typed}
        onType={setTyped}
        notice={notice}
        onFactorWanted={(data) => {
          setNotice(null);
          setWays(waysIn(data));
          setSearch((query) => new URLSearchParams([...query, ["step", "factor"]]));
        }}
      />
    </div>
  );
};

const isSecondStep = (query: URLSearchParams): boolean => query.get("step") === "factor";

// Someone may be signed in already in the browser that a provider leads to the second step of another account.
const onwardFrom = (search: string): string | null =>
  isSecondStep(new URLSearchParams(search)) ? null : originFrom(search);

const firstStepOf = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => name !== "step"));

const waysIn = (data: unknown): FactorWay[] => {
  const ways: unknown = Reflect.get(Object(data), "ways");
  return Array.isArray(ways) ? factorWays.filter((way) => ways.includes(way)) : [];
};

type PasswordStepProps = {
  /** What was typed as the address so far. */
  typed: string | null;
  onType: (email: string) => void;
  /** Why the reader is back here. */
  notice: string | null;
  onFactorWanted: (data: unknown) => void;
};

const PasswordStep = ({ typed, onType, notice, onFactorWanted }: PasswordStepProps) => {
  const [search] = useSearchParams();
  const { errors, values, ...form } = useForm({
    rules,
    send: async ({ email, password }) => {
      try {
        const { user } = await client.auth.login({ email: email.trim(), password });
        enter(user);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "SECOND_FACTOR_REQUIRED") throw error;
        onFactorWanted(error.data);
      }
    },
    explain: (error) => failureText(error, pageAuthTexts.loginFailed, pageAuthTexts.networkFailed),
  });
  const isHydrated = useHydrated();
  const registration = useRegistration();
  const state = useHistoryState<unknown>();
  const arrival = readArrival(isHydrated ? state : null);
  const email = typed ?? arrival.email;
  const signOutReason = isHydrated ? wasSignedOut.reasonIn(state) : null;
  const hasFailedElsewhere = search.get("error") === "auth_failed";
  return (
    <AuthCard title={texts.signIn} lead={texts.signInLead} footer={<LoginFooter />}>
      <Form
        form={form}
        action={texts.signIn}
        isWide
        alert={
          form.problem !== null ? (
            <LoginProblem problem={form.problem} email={values.email} />
          ) : (
            <>
              {/* Made ahead of time it is in every sign-in page, and shows by the address alone. */}
              {(hasFailedElsewhere || !isHydrated) && (
                <Alert
                  severity="error"
                  title={pageAuthTexts.authFailed}
                  className={cn(!isHydrated && "hidden auth-failed:flex")}
                >
                  {texts.authFailedNext}
                </Alert>
              )}
              {(search.get("error") === "registration_closed" || !isHydrated) && (
                <Alert
                  severity="error"
                  title={texts.noAccountHere}
                  className={cn(!isHydrated && "hidden registration-closed:flex")}
                >
                  {registration.notice ?? texts.registrationClosedNext}
                </Alert>
              )}
              {isHydrated && search.get("error") === "link_first" && (
                <Alert severity="warning" title={texts.linkFirst}>
                  {texts.linkFirstNext}
                </Alert>
              )}
              {isHydrated && search.get("error") === "provider_gone" && (
                <Alert severity="error" title={texts.providerGone}>
                  {texts.providerGoneNext}
                </Alert>
              )}
              {notice !== null && <Alert severity="warning">{notice}</Alert>}
              {signOutReason !== null && (
                <Alert severity="warning">{texts.wasSignedOut[signOutReason]}</Alert>
              )}
              {arrival.signedUpAs !== null && <SignedUpAs name={arrival.signedUpAs} />}
            </>
          )
        }
      >
        <Field label={texts.loginEmail} error={errors.email}>
          <Input
            name="email"
            type="email"
            inputMode="email"
            autoComplete="username webauthn"
            required
            defaultValue={email}
            onInput={(event) => onType(event.currentTarget.value)}
          />
        </Field>
        <PasswordField
          label={texts.password}
          name="password"
          autoComplete="current-password"
          error={errors.password}
          canReveal
        />
        <p className="-my-3 justify-self-end text-[0.8125rem]">
          <TextLink href="/forgot-password" state={{ email }}>
            {texts.forgotLink}
          </TextLink>
        </p>
      </Form>
      <PasskeySignIn />
      <SocialButtons />
    </AuthCard>
  );
};

const LoginProblem = ({ problem, email }: { problem: FormProblem; email: string }) => {
  if (problem.cause instanceof ApiError && isForFailedSignIns(problem.cause.message)) {
    return <TooOften message={problem.message} email={email} />;
  }
  if (!(problem.cause instanceof ApiError && problem.cause.needsVerification)) {
    return <Alert severity="error">{problem.message}</Alert>;
  }
  return (
    <Alert
      severity="warning"
      title={pageAuthTexts.verifyFirst}
      actions={
        <Link href="/verify" state={{ email }} className={buttonVariants({ variant: "outline", size: "sm" })}>
          {texts.verifyPromptLink}
        </Link>
      }
    >
      {texts.verifyPrompt}
    </Alert>
  );
};

const TooOften = ({ message, email }: { message: string; email: string }) => (
  <Alert
    severity="warning"
    title={message}
    actions={
      <Link
        href="/forgot-password"
        state={{ email }}
        className={buttonVariants({ variant: "outline", size: "sm" })}
      >
        {texts.waitResetLink}
      </Link>
    }
  >
    {texts.waitOrReset}
  </Alert>
);

const LoginFooter = () => (
  <>
    <p data-unless="closed">
      {texts.newHere} <TextLink href="/register">{texts.createAccount}</TextLink>
    </p>
    <p>
      {texts.noMail} <TextLink href="/verify">{texts.resendLink}</TextLink>
    </p>
  </>
);

type FactorStepProps = {
  /** In which ways the reader can give the second factor; `null` when that is not known. */
  ways: readonly FactorWay[] | null;
  /** Where the first step is. */
  backHref: string;
  /** Called with the server's words when the first step doesn't count anymore. */
  onExpired: (message: string) => void;
};

/** The second step of signing in: a passkey, a code of the authenticator app, or a recovery code. */
const FactorStep = ({ ways: known, backHref, onExpired }: FactorStepProps) => {
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
  const { errors, ...form } = useForm({
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
    <Form form={form} action={texts.continue} isWide>
      {isRecovery ? <RecoveryCodeField error={errors.code} /> : <CodeField error={errors.code} />}
    </Form>
  );
};

const missingComplaint = (code: string) => (code.trim() === "" ? pageAuthTexts.codeRequired : null);

const RecoveryCodeField = ({ error }: { error: string | undefined }) => (
  <Field label={texts.recoveryCode} error={error} hint={texts.recoveryCodeHint}>
    <PlainInput name="code" required autoFocus />
  </Field>
);

// The server's advice to wait for the next code is no help with a recovery code.
const besideField = (error: ApiError, isRecovery: boolean): ApiError => {
  const message = isRecovery ? texts.recoveryCodeWrong : error.message;
  return new ApiError(message, { ...error, errors: [{ path: "code", message }], cause: error });
};

import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import type { ResetDone } from "#api/modules/auth/contract.ts";

import { pageAuthTexts } from "#contract/auth-texts.ts";
import { timers } from "#contract/limits.ts";
import { removedSentence, type WayIn, wayInAge, wayInName } from "#contract/users.ts";
import { Form } from "#ui/components/form.tsx";
import { NewPasswordFields, newPasswordRules } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { Checkbox } from "#ui/components/ui/checkbox.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { ApiError, client, failureText } from "#ui/lib/api.ts";
import { keepPageToken } from "#ui/lib/page-token.ts";
import { currentSession, refreshSession } from "#ui/lib/session.ts";
import { useAddressToken, useLinkCheck } from "./arrivals.ts";
import { AuthCard, FormOrNotice, TextLink } from "./auth-card.tsx";
import { authScreenTexts as texts } from "./texts.ts";

const readWaysIn = async (token: string) => (await client.auth.checkResetLink({ token })).data.waysIn;

/**
 * Sets a new password with the token of an emailed link, then leads to the sign-in. Says as soon as it opens when the link no
 * longer works; while that can't be known, the form is there.
 */
export const ResetPasswordPage = () => {
  const token = useAddressToken();
  const [done, setDone] = useState<ResetDone | null>(null);
  const isDone = done !== null;
  const { data: waysIn, refusal } = useLinkCheck(token, readWaysIn);
  const finish = (reset: ResetDone) => {
    setDone(reset);
    keepPageToken(null);
    // The reset has ended every session of that account, perhaps this browser's too.
    if (currentSession().user !== null) void refreshSession();
  };
  return (
    <AuthCard
      title={texts.reset}
      lead={isDone ? undefined : texts.resetLead}
      // Out of sight, and its place kept: nothing moves when the answer comes that the link is dead.
      leadClassName={refusal === null ? undefined : "invisible"}
      footer={isDone ? undefined : <TextLink href="/login">{texts.backToLogin}</TextLink>}
    >
      {isDone && <Done {...done} />}
      {!isDone && (
        <FormOrNotice notice={refusal === null ? null : <UselessLink message={refusal} />}>
          <ResetForm token={token} waysIn={waysIn} onDone={finish} />
        </FormOrNotice>
      )}
    </AuthCard>
  );
};

// So many times longer than the usual wait, what was removed can be read.
const readingTimes = 3;

const Done = ({ email, removed }: ResetDone) => {
  const [, navigate] = useLocation();
  const waitMs = timers.redirectMs * (removed.length === 0 ? 1 : readingTimes);
  useEffect(() => {
    const timer = setTimeout(() => navigate("/login", { state: { email } }), waitMs);
    return () => clearTimeout(timer);
  }, [navigate, email, waitMs]);
  return (
    <div className="grid gap-5">
      <Alert>{pageAuthTexts.resetDone}</Alert>
      {removed.length > 0 && <Alert severity="info">{removedSentence(removed, Date.now())}</Alert>}
      <Link href="/login" state={{ email }} className={buttonVariants({ variant: "outline", size: "lg" })}>
        {texts.toLogin}
      </Link>
    </div>
  );
};

type ResetFormProps = {
  /** `undefined` before the page is live, `null` when the address holds none. */
  token: string | null | undefined;
  /** `null` while they are not known: then all that are newer are removed. */
  waysIn: readonly WayIn[] | null;
  onDone: (done: ResetDone) => void;
};

/** The new password, typed twice. A link that cannot work is complained of with the way to a new one. */
const ResetForm = ({ token, waysIn, onDone }: ResetFormProps) => {
  const [kept, setKept] = useState<readonly string[]>([]);
  const keep = (id: string, isKept: boolean) =>
    setKept((ids) => (isKept ? [...ids, id] : ids.filter((other) => other !== id)));
  const { errors, ...form } = useForm({
    rules: newPasswordRules,
    send: async ({ password }) => {
      // The complaint stands above the form already.
      if (typeof token !== "string") return;
      onDone((await client.auth.resetPassword({ token, password, keep: [...kept] })).data);
    },
    explain: (error) => failureText(error, pageAuthTexts.resetFailed),
  });
  return (
    <Form
      form={form}
      action={texts.resetPassword}
      isWide
      alert={
        <>
          {/* Made ahead of time it is in the page, and shows by the address alone. */}
          {typeof token !== "string" && (
            <UselessLink message={pageAuthTexts.resetTokenMissing} isByAddress={token === undefined} />
          )}
          {form.problem !== null && <ResetProblem {...form.problem} />}
        </>
      }
    >
      <NewPasswordFields labels={[texts.newPassword, texts.confirmNewPassword]} errors={errors} />
      {waysIn !== null && waysIn.length > 0 && <WaysIn ways={waysIn} kept={kept} onKeep={keep} />}
    </Form>
  );
};

type WaysInProps = {
  ways: readonly WayIn[];
  kept: readonly string[];
  onKeep: (id: string, isKept: boolean) => void;
};

/** What else opens the account. What a reset can remove goes unless its owner keeps it. */
const WaysIn = ({ ways, kept, onKeep }: WaysInProps) => {
  const removable = ways.filter(({ isRemovable }) => isRemovable);
  const staying = ways.filter(({ isRemovable }) => !isRemovable);
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-medium text-sm">{texts.waysIn}</legend>
      {removable.length > 0 && <p className="text-muted-foreground text-sm">{texts.waysInNewer}</p>}
      {removable.map((way) => (
        <Checkbox
          key={way.id}
          label={texts.removeWay(wayInName(way))}
          hint={ageOf(way)}
          checked={!kept.includes(way.id)}
          onChange={({ target }) => onKeep(way.id, !target.checked)}
        />
      ))}
      {staying.length > 0 && <p className="text-muted-foreground text-sm">{texts.waysInKept}</p>}
      {staying.length > 0 && (
        <ul className="grid list-disc gap-1 pl-5 text-sm">
          {staying.map((way) => (
            <li key={way.id}>
              {wayInName(way)} <span className="text-muted-foreground">({ageOf(way)})</span>
            </li>
          ))}
        </ul>
      )}
      {ways.some(({ kind }) => kind === "passkey") && (
        <p className="text-muted-foreground text-sm">{texts.waysInPasskeys}</p>
      )}
    </fieldset>
  );
};

const ageOf = (way: WayIn): string => wayInAge(way, Date.now()) ?? texts.wayOfUnknownAge;

const ResetProblem = ({ message, cause }: { message: string; cause: unknown }) => {
  // A server in trouble has not looked at the link: it may still be good.
  const isUndecided = cause instanceof ApiError && (cause.status === 0 || cause.status >= 500);
  return isUndecided ? <Alert severity="error">{message}</Alert> : <UselessLink message={message} />;
};

/**
 * Says that a reset link is of no use, and leads to a new one. `isByAddress`: made ahead of time, it shows only where the
 * address holds no token.
 */
const UselessLink = ({ message, isByAddress = false }: { message: string; isByAddress?: boolean }) => (
  <Alert
    severity="error"
    title={message}
    className={isByAddress ? "hidden no-token:flex" : undefined}
    actions={
      <Link href="/forgot-password" className={buttonVariants({ variant: "outline", size: "sm" })}>
        {texts.newLink}
      </Link>
    }
  >
    {texts.resetRenew}
  </Alert>
);

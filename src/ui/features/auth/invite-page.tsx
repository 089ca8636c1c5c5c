import { lazy, Suspense, useId, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { OpenInvitation } from "#api/modules/invitations/contract.ts";
import { nameComplaint } from "#contract/account-rules.ts";
import { securityPage } from "#contract/page-paths.ts";
import type { User } from "#contract/users.ts";
import { Form } from "#ui/components/form.tsx";
import { NewPasswordFields, newPasswordRules } from "#ui/components/password-field.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { keepPageToken } from "#ui/lib/page-token.ts";
import { canUsePasskeys, makePasskey, useCeremony } from "#ui/lib/passkeys.ts";
import { factorCardId, setUser } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { useHydrated } from "#ui/lib/use-load.ts";
import { useAddressToken, useLinkCheck } from "./arrivals.ts";
import { AuthCard, FormOrNotice, TextLink } from "./auth-card.tsx";
import { PasskeyButton } from "./passkey-sign-in.tsx";
import { SocialButtons } from "./social-buttons.tsx";
import { authScreenTexts as texts } from "./texts.ts";

const checkLink = async (token: string) => (await client.invitations.check({ token })).data;

/** Creates the account of someone who followed the link of an invitation, and continues to the dashboard. */
export const InvitePage = () => {
  const site = useSite();
  const token = useAddressToken();
  const { data, refusal } = useLinkCheck(token, checkLink);
  const [suggests, setSuggests] = useState(false);
  if (suggests) return <FactorSuggestion />;
  const wrong = token === null ? texts.inviteMissing : refusal;
  const notice =
    wrong === null ? null : (
      <Alert severity="error" title={wrong}>
        {texts.inviteRenew}
      </Alert>
    );
  return (
    <AuthCard
      title={data?.invitedBy ? texts.invitedBy(data.invitedBy, site.name) : texts.invited(site.name)}
      lead={data === null ? texts.inviteWait : texts.inviteLead(data.email)}
      // Out of sight, and its place kept: nothing moves when the answer comes that the link is dead.
      leadClassName={notice === null ? "wrap-anywhere" : "invisible"}
      footer={
        <p>
          {texts.haveAccount} <TextLink href="/login">{texts.signIn}</TextLink>
        </p>
      }
    >
      <FormOrNotice notice={notice}>
        {/* Made again once it is known who was invited, whose name is filled in. */}
        <InviteForm
          key={data?.email}
          token={token ?? ""}
          invitation={data}
          suggest={() => setSuggests(true)}
        />
        <SocialButtons isOfferedOnly />
      </FormOrNotice>
    </AuthCard>
  );
};

type Way = "name" | "password" | "confirmPassword" | "way";
const withPasskey = "passkey";

const unlessPasskey =
  (rule: FormRules<Way>[Way]): FormRules<Way>[Way] =>
  (value, values) =>
    values.way === withPasskey ? null : rule(value, values);

const rules: FormRules<Way> = {
  name: nameComplaint,
  password: unlessPasskey(newPasswordRules.password),
  confirmPassword: unlessPasskey(newPasswordRules.confirmPassword),
  way: () => null,
};

type InviteFormProps = { token: string; invitation: OpenInvitation | null; suggest: () => void };

const InviteForm = ({ token, invitation, suggest }: InviteFormProps) => {
  const [, navigate] = useLocation();
  const id = useId();
  const name = useRef("");
  const [codes, setCodes] = useState<readonly string[]>([]);
  const arrive = (user: User) => {
    keepPageToken(null);
    setUser(user);
  };
  const lead = (path: string) => navigate(path, { replace: true });
  const home = invitation?.role === "admin" ? "/admin" : "/dashboard";
  const ceremony = useCeremony(async (signal) => {
    const answer = await makePasskey((await client.invitations.beginPasskey({ token })).data, signal);
    const wish = { token, name: name.current, ...answer };
    const { user, recoveryCodes } = await client.invitations.accept(wish);
    arrive(user);
    setCodes(recoveryCodes ?? []);
  }, texts.invitePasskeyFailed);
  const { errors, ...form } = useForm({
    rules,
    send: async (values) => {
      name.current = values.name.trim();
      if (values.way === withPasskey) return ceremony.start();
      const { password } = values;
      arrive((await client.invitations.accept({ token, name: name.current, password })).user);
      if (invitation?.suggestsSecondFactor) return suggest();
      lead(invitation?.needsSecondFactor ? setUpPath : home);
    },
    explain: (error) => failureText(error, texts.createFailed),
  });
  return (
    <>
      <Form id={id} form={{ ...form, isBusy: form.isBusy || ceremony.isBusy }}>
        <Field label={texts.name} error={errors.name}>
          <Input name="name" autoComplete="name" required defaultValue={invitation?.name ?? ""} />
        </Field>
        <NewPasswordFields
          labels={[texts.password, texts.confirmPassword]}
          errors={errors}
          owner={{ email: invitation?.email ?? "" }}
        />
        <Button type="submit" size="lg" isBusy={form.isBusy} disabled={invitation === null}>
          {texts.finishAccount}
        </Button>
      </Form>
      <PasskeyWay
        isOffered={invitation === null ? null : invitation.isPasskeyOffered}
        form={id}
        isBusy={ceremony.isBusy}
        problem={ceremony.problem}
        cancel={ceremony.cancel}
      />
      {invitation?.needsSecondFactor && (
        <p className="mt-5 text-muted-foreground text-sm">{texts.inviteFactor}</p>
      )}
      {codes.length > 0 && (
        <Suspense fallback={null}>
          <CodesDialog codes={codes} onClose={() => lead(home)} />
        </Suspense>
      )}
    </>
  );
};

const setUpPath = `${securityPage}#${factorCardId}`;

/** Leads an administrator who has just chosen a password to a second factor, which may wait. */
const FactorSuggestion = () => {
  const [, navigate] = useLocation();
  const lead = (path: string) => navigate(path, { replace: true });
  return (
    <AuthCard title={texts.inviteReady} lead={texts.inviteSuggestion}>
      <div className="grid gap-3">
        {/* The button that had the focus is gone. */}
        <Button size="lg" autoFocus onClick={() => lead(setUpPath)}>
          {texts.inviteSetUp}
        </Button>
        <Button size="lg" variant="outline" onClick={() => lead("/admin")}>
          {texts.notNow}
        </Button>
      </div>
    </AuthCard>
  );
};

const CodesDialog = lazy(async () => ({
  default: (await import("#ui/components/recovery-codes.tsx")).NewCodesDialog,
}));

type PasskeyWayProps = Omit<ReturnType<typeof useCeremony>, "start"> & {
  /** `null` while that is not known. */
  isOffered: boolean | null;
  form: string;
};

/** The button that accepts with a passkey. Until it is known whether the server and the browser can, its room is kept. */
const PasskeyWay = ({ isOffered, form, ...ceremony }: PasskeyWayProps) => {
  const isHydrated = useHydrated();
  if (isOffered === false || (isHydrated && !canUsePasskeys())) return null;
  return (
    <div className={cn("mt-3", (!isHydrated || isOffered === null) && "invisible noscript:hidden")}>
      <PasskeyButton
        {...ceremony}
        submits={{ form, name: "way", value: withPasskey }}
        label={texts.invitePasskey}
        variant="outline"
      />
    </div>
  );
};

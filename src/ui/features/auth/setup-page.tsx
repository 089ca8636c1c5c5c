import { Redirect, useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { ApiError, failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { keepPageToken } from "#ui/lib/page-token.ts";
import { setUser, useSession } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { AccountFields, newAccountRules } from "./account-fields.tsx";
import { useAddressToken, useLinkCheck } from "./arrivals.ts";
import { AuthCard, FormOrNotice } from "./auth-card.tsx";
import { SetupSite } from "./setup-site.tsx";
import { authScreenTexts as texts } from "./texts.ts";

const checkLink = (token: string) => client.auth.checkSetupLink({ token });

/** Creates the first administrator with the one-time link that the server prints, and continues with the site's name. */
export const SetupPage = () => {
  const isAdmin = useSession().user?.role === "admin";
  const [path, navigate] = useLocation();
  // In the history entry, so that a reload finds it.
  const step = useHistoryState<unknown>();
  if (isAdmin && step === siteStep) return <SetupSite />;
  return (
    <SetupAdmin isAdmin={isAdmin} onCreated={() => navigate(path, { replace: true, state: siteStep })} />
  );
};

const siteStep = "site";

const SetupAdmin = ({ isAdmin, onCreated }: { isAdmin: boolean; onCreated: () => void }) => {
  const site = useSite();
  const token = useAddressToken();
  // Made ahead of time both are in the page, and the address alone tells which one shows.
  const isByAddress = token === undefined;
  const formClass = isByAddress ? "no-token:hidden" : undefined;
  const { refusal } = useLinkCheck(token, checkLink);
  if (isAdmin && token === null) return <Redirect href="/admin" replace />;
  const notice =
    refusal === null ? null : (
      <Alert severity="error" title={refusal}>
        <HowToRenew />
      </Alert>
    );
  return (
    <AuthCard
      title={texts.setup(site.name)}
      lead={token === null ? undefined : texts.setupLead}
      leadClassName={notice === null ? formClass : "invisible"}
    >
      {typeof token !== "string" && (
        <div className={isByAddress ? "hidden no-token:block" : undefined}>
          <NoToken />
        </div>
      )}
      {token !== null && (
        <div className={formClass}>
          <FormOrNotice notice={notice}>
            <SetupForm token={token ?? ""} onCreated={onCreated} />
          </FormOrNotice>
        </div>
      )}
    </AuthCard>
  );
};

const SetupForm = ({ token, onCreated }: { token: string; onCreated: () => void }) => {
  const { formProps, errors, problem, isBusy } = useForm({
    rules: newAccountRules,
    send: async ({ name, email, password }) => {
      const person = { name: name.trim(), email: email.trim(), password };
      const { user } = await client.auth.setup({ token, ...person });
      keepPageToken(null);
      setUser(user);
      onCreated();
    },
    explain: (error) => failureText(error, texts.setupFailed),
  });
  return (
    <form {...formProps}>
      <fieldset disabled={isBusy} className="grid gap-5">
        {problem !== null && (
          <Alert severity="error" title={problem.message}>
            {isLinkUseless(problem.cause) && <HowToRenew />}
          </Alert>
        )}
        <AccountFields errors={errors} />
        <Button type="submit" size="lg" isBusy={isBusy}>
          {texts.createAdmin}
        </Button>
      </fieldset>
    </form>
  );
};

const isLinkUseless = (cause: unknown) =>
  cause instanceof ApiError &&
  (cause.code === "TOKEN_INVALID" || cause.errors.some(({ path }) => path === "token"));

const NoToken = () => (
  <Alert severity="info" title={texts.setupMissing}>
    <HowToRenew />
  </Alert>
);

const HowToRenew = () => (
  <>
    {texts.setupRenew}
    <code className="mt-1.5 block w-fit rounded-sm bg-foreground/6 px-1.5 py-0.5 font-mono text-[0.8125rem]">
      {texts.setupCommand}
    </code>
  </>
);

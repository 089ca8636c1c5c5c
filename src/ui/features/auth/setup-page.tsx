import { useLocation } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { ApiError, failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { keepPageToken } from "#ui/lib/page-token.ts";
import { setUser } from "#ui/lib/session.ts";
import { AccountFields, newAccountRules } from "./account-fields.tsx";
import { useAddressToken, useLinkCheck } from "./arrivals.ts";
import { AuthCard, FormOrNotice } from "./auth-card.tsx";
import { authScreenTexts as texts } from "./texts.ts";

const checkLink = (token: string) => client.auth.checkSetupLink({ token });

/** Creates the first administrator with the one-time link that the server prints, and continues to the admin area. */
export const SetupPage = () => {
  const token = useAddressToken();
  // Made ahead of time both are in the page, and the address alone tells which one shows.
  const isByAddress = token === undefined;
  const formClass = isByAddress ? "no-token:hidden" : undefined;
  const { refusal } = useLinkCheck(token, checkLink);
  const notice =
    refusal === null ? null : (
      <Alert severity="error" title={refusal}>
        <HowToRenew />
      </Alert>
    );
  return (
    <AuthCard
      title={texts.setup}
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
            <SetupForm token={token ?? ""} />
          </FormOrNotice>
        </div>
      )}
    </AuthCard>
  );
};

const SetupForm = ({ token }: { token: string }) => {
  const [, navigate] = useLocation();
  const { formProps, errors, problem, isBusy } = useForm({
    rules: newAccountRules,
    send: async ({ name, email, password }) => {
      const person = { name: name.trim(), email: email.trim(), password };
      const { user } = await client.auth.setup({ token, ...person });
      keepPageToken(null);
      setUser(user);
      navigate("/admin", { replace: true });
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

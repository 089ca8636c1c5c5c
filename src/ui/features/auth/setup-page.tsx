import { useCallback, useState } from "react";
import { Redirect, useLocation } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { accountSettings } from "#contract/core-settings.ts";
import { settingComplaint } from "#contract/define-settings.ts";
import { isProgramsHome } from "#contract/site.ts";
import { siteSettings } from "#contract/site-settings.ts";
import { Form } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { ApiError, client, failureText } from "#ui/lib/api.ts";
import { keepPageToken } from "#ui/lib/page-token.ts";
import { setUser, useSession } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccountFields, newAccountRules } from "./account-fields.tsx";
import { useAddressToken, useLinkCheck } from "./arrivals.ts";
import { AuthCard, FormOrNotice } from "./auth-card.tsx";
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
  const { errors, ...form } = useForm({
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
    <Form
      form={form}
      action={texts.createAdmin}
      isWide
      alert={
        form.problem !== null && (
          <Alert severity="error" title={form.problem.message}>
            {isLinkUseless(form.problem.cause) && <HowToRenew />}
          </Alert>
        )
      }
    >
      <AccountFields errors={errors} />
    </Form>
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

const { name, accent, home } = siteSettings.fields;
const { registration } = accountSettings.fields;
// Domains have to be listed, which the settings do.
const policies = Object.entries(registration.options).filter(([value]) => value !== "domains");

const homes = Object.entries(home.options);

const load = async () => {
  const [site, accounts] = await Promise.all([client.settings.site(), client.settings.accounts()]);
  return { site: site.data, accounts: accounts.data };
};
type Loaded = Awaited<ReturnType<typeof load>>;

/** The second step of the first setup: what the site is called, its color, its home page, and who may register. It can be skipped. */
const SetupSite = () => {
  const [, navigate] = useLocation();
  const { data, error } = useLoad(load);
  const leave = useCallback(() => navigate("/admin", { replace: true }), [navigate]);
  return (
    <AuthCard title={texts.setupSite} lead={texts.setupSiteLead}>
      {data === null && error === null && <Spinner />}
      {error !== null && <Alert severity="error" title={failureText(error, texts.setupSiteFailed)} />}
      <div className="grid gap-3">
        {data !== null && <SiteForm loaded={data} />}
        <Button variant="outline" size="lg" onClick={leave}>
          {texts.setupSkip}
        </Button>
      </div>
    </AuthCard>
  );
};

const SiteForm = ({ loaded: { site, accounts } }: { loaded: Loaded }) => {
  const lockOf = (own: string) => site.locked.find(({ path }) => path === own)?.reason;
  const locks = { name: lockOf("name"), accent: lockOf("accent"), home: lockOf("home") };
  const [typedName, setTypedName] = useState(site.name);
  const [chosenHome, setChosenHome] = useState<string | null>(null);
  // A site of another name gets a home page of its own, unless someone wants the other.
  const isRenamed = locks.home === undefined && isProgramsHome({ name: typedName.trim(), home: site.home });
  const shownHome = chosenHome ?? (isRenamed ? "sections" : site.home);
  const { errors, ...form } = useForm({
    rules: {
      name: (value) => (locks.name === undefined ? settingComplaint(name, value) : null),
      accent: (value) => (locks.accent === undefined ? settingComplaint(accent, value) : null),
      registration: (value) => settingComplaint(registration, value),
    },
    send: async (values) => {
      const change = {
        ...(locks.name === undefined && { name: values.name }),
        ...(locks.accent === undefined && { accent: values.accent }),
        ...(locks.home === undefined && shownHome !== site.home && { home: shownHome }),
      };
      if (Object.keys(change).length > 0) await client.settings.setSite(change);
      const policy = Object.keys(registration.options).find(isPolicy(values.registration));
      if (policy !== undefined && policy !== accounts.registration)
        await client.settings.setAccounts({ registration: policy });
      // Loaded again, so that it has its name and color.
      location.replace("/admin");
    },
    explain: (error) => failureText(error, texts.setupSiteFailed),
  });
  return (
    <Form
      form={form}
      action={texts.setupSave}
      isWide
      alert={form.problem !== null && <Alert severity="error" title={form.problem.message} />}
    >
      <Field label={name.label} hint={locks.name ?? name.hint} error={errors.name}>
        <Input
          name="name"
          autoComplete="off"
          defaultValue={site.name}
          onChange={({ target }) => setTypedName(target.value)}
          readOnly={locks.name !== undefined}
          required
        />
      </Field>
      <Field label={accent.label} hint={locks.accent ?? accent.hint} error={errors.accent}>
        <Input
          name="accent"
          type="color"
          defaultValue={site.accent}
          disabled={locks.accent !== undefined}
          className="w-20 cursor-pointer p-1"
        />
      </Field>
      {/* Other pages are chosen where the paths of features are listed. */}
      {homes.some(([value]) => value === site.home) && (
        <Field label={home.label} hint={locks.home ?? texts.setupHome}>
          <Select
            value={shownHome}
            disabled={locks.home !== undefined}
            onChange={({ target }) => setChosenHome(target.value)}
            options={homes}
          />
        </Field>
      )}
      <Field label={registration.label} hint={texts.setupRegistration} error={errors.registration}>
        <Select name="registration" defaultValue={accounts.registration} options={policies} />
      </Field>
    </Form>
  );
};

type Policy = keyof typeof registration.options;
const isPolicy =
  (value: string) =>
  (known: string): known is Policy =>
    known === value;

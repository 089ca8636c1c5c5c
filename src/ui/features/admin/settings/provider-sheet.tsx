import { useId, useState } from "react";
import type { SetProviderInput, SignInProvider } from "#api/modules/providers/contract.ts";
import type { Complaint } from "#contract/account-rules.ts";
import { nested, settingComplaint, valueAt } from "#contract/define-settings.ts";
import { fieldTexts } from "#contract/errors.ts";
import {
  clientSecretComplaint,
  onceGone,
  providerIdComplaint,
  providerSettings,
  sentences,
} from "#contract/provider-settings.ts";
import { RequestButton } from "#ui/components/confirm-dialog.tsx";
import { Form } from "#ui/components/form.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { PlainInput } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { type FormRules, useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { Copyable, SheetPart } from "../facts.tsx";
import { ConnectionTest } from "./connection-test.tsx";
import { SettingControl, typedSetting } from "./setting-control.tsx";
import { providersTexts } from "./texts.ts";

type ProviderSheetProps = {
  /** `null` for a new one. */
  provider: SignInProvider | null;
  others: readonly SignInProvider[];
  /** With `{provider}` in place of the name. */
  redirectUri: string;
  onClose: () => void;
  onSaved: () => void;
};

/** One sign-in provider: the form of its settings, its test, and the way to remove it; of a locked one, what to enter there. */
export const ProviderSheet = (props: ProviderSheetProps) => {
  const { provider, onClose } = props;
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={provider?.settings.label ?? providerFormTexts.addTitle}
      description={provider?.lockedBy == null ? provider?.id : providersTexts.locked(provider.lockedBy)}
    >
      {provider !== null && provider.lockedBy !== null ? (
        <div className="grid gap-6">
          <Addresses redirectUri={provider.redirectUri} logoutUri={provider.logoutUri} />
          {provider.kind !== "github" && (
            <div>
              <ConnectionTest
                kind="provider"
                isReady
                test={() => client.providers.test({ provider: provider.id })}
              />
            </div>
          )}
        </div>
      ) : (
        <ProviderForm {...props} />
      )}
    </Sheet>
  );
};

const Addresses = ({ redirectUri, logoutUri }: Pick<SignInProvider, "redirectUri" | "logoutUri">) => (
  <dl className="grid gap-3 text-sm">
    <Address name={providerFormTexts.redirect} hint={providerFormTexts.redirectHint} url={redirectUri} />
    {logoutUri !== null && (
      <Address name={providerFormTexts.logout} hint={providerFormTexts.logoutHint} url={logoutUri} />
    )}
  </dl>
);

const Address = ({ name, hint, url }: { name: string; hint: string; url: string }) => (
  <div className="grid gap-0.5">
    <dt className="font-medium">{name}</dt>
    <dd className="min-w-0">
      <Copyable name={name} text={url} isCode />
      <p className="text-[0.8125rem] text-muted-foreground">{hint}</p>
    </dd>
  </div>
);

/** The settings in the parts of the form; all of them are in one. */
const parts = {
  connection: ["label", "issuer", "clientId"],
  users: ["isEnabled", "maySignUp", "signUpDomains", "trustedDomains", "groupRoles", "isFactorTrusted"],
} as const;
const isIn = (part: keyof typeof parts, path: string) => parts[part].some((own) => own === path);

const ProviderForm = ({ provider, others, redirectUri, onSaved }: ProviderSheetProps) => {
  const formId = useId();
  const [name, setName] = useState(provider?.id ?? "");
  const isNew = provider === null;
  const taken = isNew ? others.map(({ id }) => id) : [];
  const { errors, ...form } = useForm<string>({
    rules: rulesFor(isNew, taken),
    send: async (typed) => {
      const { message } = await client.providers.set(changeIn(typed, provider));
      notify({ tone: "success", message });
      onSaved();
    },
    explain: (error) => failureText(error, providerFormTexts.saveFailed),
  });
  const fields = (isShown: (path: string) => boolean) =>
    providerSettings.settings.map(([path, setting]) => {
      if (!isShown(path)) return null;
      const value = valueAt(provider?.settings ?? providerSettings.defaults, path);
      return <SettingControl key={path} {...{ path, setting, value }} error={errors[path]} />;
    });
  const warning = provider === null ? "" : warningOf(provider);
  const url = (pattern: string) => pattern.replace("{provider}", name.trim() || "{name}");
  return (
    <Form form={form} id={formId} className="gap-6">
      <div className="grid gap-5">
        {isNew && (
          <>
            <Field label={providerFormTexts.preset} hint={providerFormTexts.presetHint}>
              <Select
                defaultValue="oidc"
                onChange={({ target }) => fillIn(formId, target.value)}
                autoFocus
                options={Object.entries(presets).map(([id, preset]) => [id, preset.name])}
              />
            </Field>
            <Field label={providerFormTexts.name} hint={providerFormTexts.nameHint} error={errors.provider}>
              <PlainInput name="provider" onInput={({ currentTarget }) => setName(currentTarget.value)} />
            </Field>
          </>
        )}
        {fields((path) => isIn("connection", path))}
        <Field
          label={providerFormTexts.secret}
          hint={provider?.hasClientSecret === true ? providerFormTexts.secretSaved : undefined}
          error={errors.clientSecret}
        >
          <PlainInput name="clientSecret" type="password" autoComplete="new-password" />
        </Field>
        <Addresses
          redirectUri={url(redirectUri)}
          logoutUri={url(redirectUri).replace(/callback$/, "backchannel-logout")}
        />
      </div>
      <SheetPart title={providerFormTexts.users}>
        <div className="grid gap-5">
          {warning !== "" && (
            <Alert
              severity="warning"
              {...(provider?.state === "on" ? { title: providerFormTexts.onceOff } : {})}
            >
              {warning}
            </Alert>
          )}
          {fields((path) => isIn("users", path))}
        </div>
      </SheetPart>
      <SheetPart title={providerFormTexts.claims}>
        <div className="grid gap-5">
          {fields((path) => !isIn("connection", path) && !isIn("users", path))}
        </div>
      </SheetPart>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" isBusy={form.isBusy}>
          {providerFormTexts.save}
        </Button>
        <ConnectionTest
          kind="provider"
          isReady={name.trim() !== ""}
          test={() => client.providers.test(changeIn(typedIn(formId), provider))}
        />
        {provider !== null && <Remove provider={provider} onRemoved={onSaved} />}
      </div>
    </Form>
  );
};

const rulesFor = (isNew: boolean, taken: readonly string[]): FormRules<string> => ({
  ...Object.fromEntries(
    providerSettings.settings.map(([path, setting]) => [
      path,
      (typed: string): Complaint => {
        // Without one the server makes a title of the name.
        if (path === "label" && typed.trim() === "" && isNew) return null;
        return settingComplaint(setting, typedSetting(setting, typed));
      },
    ]),
  ),
  ...(isNew
    ? {
        provider: (typed: string): Complaint =>
          taken.includes(typed.trim()) ? providerFormTexts.nameTaken : providerIdComplaint(typed.trim()),
      }
    : {}),
  clientSecret: (typed: string): Complaint =>
    isNew && typed.trim() === "" ? fieldTexts.required : clientSecretComplaint(typed),
});

/** The change that was typed. A new provider without a title gets one of its name. */
const changeIn = (
  typed: Partial<Record<string, string>>,
  provider: SignInProvider | null,
): SetProviderInput => {
  const values = providerSettings.settings.flatMap(([path, setting]) => {
    const text = typed[path] ?? "";
    return path === "label" && text.trim() === "" ? [] : [[path, typedSetting(setting, text)] as const];
  });
  const secret = (typed.clientSecret ?? "").trim();
  return {
    provider: provider?.id ?? (typed.provider ?? "").trim(),
    // The paths are those of the settings, which is what a change has.
    ...(nested(values) as Omit<SetProviderInput, "provider">),
    ...(secret === "" ? {} : { clientSecret: secret }),
  };
};

const formOf = (id: string): HTMLFormElement | null => {
  const form = document.getElementById(id);
  return form instanceof HTMLFormElement ? form : null;
};

const typedIn = (formId: string): Record<string, string> => {
  const form = formOf(formId);
  const data = form === null ? [] : [...new FormData(form)];
  return Object.fromEntries(data.map(([name, value]) => [name, String(value)]));
};

/** Fills in what a kind of provider has in common, and leaves everything else as it was typed. */
const fillIn = (formId: string, chosen: string): void => {
  const preset = Object.hasOwn(presets, chosen) ? presets[chosen as Preset] : presets.oidc;
  const values = { issuer: preset.issuer, "claims.email": preset.email };
  for (const [name, value] of Object.entries(values)) {
    const control = formOf(formId)?.elements.namedItem(name);
    if (control instanceof HTMLInputElement) control.value = value;
  }
};

type RemoveProps = { provider: SignInProvider; onRemoved: () => void };

/** Whom it concerns that no one can sign in with a provider anymore, as whole sentences. */
const warningOf = (provider: SignInProvider): string => {
  const text = onceGone(provider);
  return text === "" ? "" : `${text}.`;
};

const Remove = ({ provider, onRemoved }: RemoveProps) => (
  <RequestButton
    variant="outline"
    asks={{
      title: providerFormTexts.removeTitle(provider.settings.label),
      question: sentences(provider.state === "on" ? onceGone(provider) : "", providerFormTexts.removeText),
      action: providerFormTexts.removeConfirm,
      fallback: providerFormTexts.removeFailed,
      send: () => client.providers.remove({ provider: provider.id }),
      onDone: onRemoved,
    }}
  >
    {providerFormTexts.remove}
  </RequestButton>
);

/** What the form begins with for a kind of provider: the pattern of its issuer, and the names of its claims. */
export const presets = {
  oidc: { name: "Any OpenID Connect provider", issuer: "", email: "email" },
  google: { name: "Google Workspace", issuer: "https://accounts.google.com", email: "email" },
  // Its id tokens have no email_verified, and the address as preferred_username.
  entra: {
    name: "Microsoft Entra",
    issuer: "https://login.microsoftonline.com/{tenant-id}/v2.0",
    email: "preferred_username",
  },
  okta: { name: "Okta", issuer: "https://{your-org}.okta.com", email: "email" },
  keycloak: { name: "Keycloak", issuer: "https://{your-host}/realms/{your-realm}", email: "email" },
} as const;
type Preset = keyof typeof presets;

/** Words of the form of a sign-in provider. */
export const providerFormTexts = {
  addTitle: "Add sign-in provider",
  preset: "Kind of provider",
  presetHint: "Fills in the pattern of the issuer and the names of claims. Replace what is in braces.",
  name: "Name",
  nameHint: "Part of the URLs below, such as acme; it can't be changed later.",
  nameTaken: "There is a provider of this name already",
  secret: "Client secret",
  secretSaved: "Leave empty to keep it",
  redirect: "Redirect URL",
  redirectHint: "Enter this URL at the provider.",
  logout: "Sign-out URL",
  logoutHint: "For back-channel sign-out, where the provider offers it.",
  users: "Users",
  claims: "Scopes and claims",
  save: "Save provider",
  saveFailed: "The provider could not be saved",
  remove: "Remove",
  removeTitle: (label: string) => `Remove ${label}?`,
  removeText:
    "No one can sign in with it anymore, and its client secret is deleted. Users stay linked to it.",
  removeConfirm: "Remove provider",
  removeFailed: "The provider could not be removed",
  onceOff: "If you switch it off",
} as const;

import { useEffect, useId, useRef, useSyncExternalStore } from "react";
import { useSearch } from "wouter";
import { createStore } from "zustand/vanilla";
import type { ConfiguredProviders, RegistrationState } from "#api/modules/auth/contract.ts";
import { isInvitedOnly } from "#contract/registration-rules.ts";
import { providerLabels, providerNames } from "#contract/users.ts";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { client } from "#ui/lib/api.ts";
import { onReachableAgain } from "#ui/lib/connection.ts";
import { originFrom } from "#ui/lib/page-token.ts";
import { authScreenTexts as texts } from "./texts.ts";

type SocialButtonsProps = {
  /** Whether those that the server has not set up are left out, and all of it where it has none. */
  isOfferedOnly?: boolean;
};

/** Google and GitHub, disabled with the reason where the server has not set them up, and all others that it has. */
export const SocialButtons = ({ isOfferedOnly = false }: SocialButtonsProps) => {
  const providers = useProviders();
  const buttons = buttonsOf(providers).filter(({ isConfigured }) => isConfigured || !isOfferedOnly);
  const reasonId = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  const retry = async () => {
    // The button that was pressed goes with the failure: focus must not fall to the top of the page.
    group.current?.focus();
    await askProviders();
  };
  if (buttons.length === 0 && providers.step !== "failed") return null;
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      aria-label={texts.socialGroup}
      className="mt-6 grid gap-4 outline-none"
    >
      <Separator label={texts.socialLabel} />
      <div className="grid grid-cols-2 gap-3 [&>:last-child:nth-child(odd)]:col-span-2">
        {buttons.map((button) => (
          <ProviderButton key={button.id} {...button} reasonId={reasonId} />
        ))}
      </div>
      {/* Two lines high whatever it says, so that nothing moves once it is known. */}
      <p
        id={reasonId}
        className="min-h-10 text-center text-muted-foreground text-[0.8125rem] leading-5 noscript:hidden"
      >
        {isOfferedOnly && providers.step === "known" ? texts.socialReady : socialSentence(providers)}{" "}
        {providers.step === "failed" && (
          <button
            type="button"
            onClick={() => void retry()}
            className="-my-3 cursor-pointer rounded-sm py-3 font-medium text-foreground underline underline-offset-4"
          >
            {texts.tryAgain}
          </button>
        )}
      </p>
    </fieldset>
  );
};

type SocialButton = { id: string; label: string; isConfigured: boolean };

/** The buttons in their order: Google and GitHub first, whatever the server offers. */
const buttonsOf = (providers: Providers): SocialButton[] => {
  const offered = providers.step === "known" ? providers.offered : [];
  const others = offered.filter(({ kind }) => kind === "oidc");
  return [
    ...providerNames.map((id) => ({
      ...{ id, label: providerLabels[id] },
      isConfigured: offered.some((provider) => provider.id === id),
    })),
    ...others.map(({ id, label }) => ({ id, label, isConfigured: true })),
  ];
};

const ProviderButton = ({ id, label, isConfigured, reasonId }: SocialButton & { reasonId: string }) => {
  const search = useSearch();
  if (isConfigured) {
    // Left for by the browser itself: the way leads through another site.
    return (
      <a href={providerPath(id, search)} className={buttonVariants({ variant: "outline" })}>
        <span className="truncate">{label}</span>
      </a>
    );
  }
  return (
    <Button variant="outline" disabled aria-describedby={reasonId}>
      {label}
    </Button>
  );
};

/** What stands under the social buttons: which of them cannot be used and why, else how they work. */
export const socialSentence = (providers: Providers): string => {
  if (providers.step === "failed") return texts.socialFailed;
  if (providers.step === "unknown") return texts.socialUnknown;
  const missing = buttonsOf(providers).filter(({ isConfigured }) => !isConfigured);
  if (missing.length === 0) return texts.socialReady;
  return texts.socialMissing(missing.map(({ label }) => label));
};

/** Where the sign-in with a provider begins; it ends at the `from` of the page's query, else at the dashboard. */
export const providerPath = (id: string, search: string): string =>
  `/api/auth/${id}?returnTo=${encodeURIComponent(originFrom(search))}`;

/** Which providers users can sign in with; `failed` when the server has not said. */
type Providers =
  | { step: "unknown" }
  | { step: "failed" }
  | { step: "known"; offered: ConfiguredProviders["providers"]; registration: RegistrationState };

const store = createStore<Providers>(() => ({ step: "unknown" }));
let asking: Promise<void> | undefined;

/** What is known of the providers so far; nothing is in markup made ahead of time. */
const useProviders = (): Providers => {
  useEffect(() => {
    void askProviders();
    return onReachableAgain(() => void askProviders());
  }, []);
  return useSyncExternalStore(store.subscribe, store.getState, store.getInitialState);
};

/** Who may register on this server: as far as nothing is known, everyone. */
export const useRegistration = (): RegistrationState => {
  const providers = useProviders();
  return providers.step === "known" ? providers.registration : { policy: "open", notice: null };
};

/** Why no one may register without being invited; `null` where some may. */
export const closedNotice = ({ policy, notice }: RegistrationState): string | null =>
  isInvitedOnly(policy) ? notice : null;

/** Asks the server once for all pages, and again only after a failure. Never throws. */
const askProviders = (): Promise<void> => {
  if (store.getState().step === "known") return Promise.resolve();
  asking ??= ask().finally(() => {
    asking = undefined;
  });
  return asking;
};

/** Forgets what the server has said; for tests. */
export const resetProviders = (): void => store.setState(store.getInitialState(), true);

const ask = async (): Promise<void> => {
  try {
    const { providers: offered, registration } = (await client.auth.providers()).data;
    store.setState({ step: "known", offered, registration }, true);
  } catch {
    // The buttons stay disabled and say so; a password works all the same.
    store.setState({ step: "failed" }, true);
  }
};

/** A hairline with words in its middle. */
const Separator = ({ label }: { label: string }) => (
  <div className="flex items-center gap-3 text-muted-foreground text-xs before:h-px before:grow before:bg-border after:h-px after:grow after:bg-border">
    {label}
  </div>
);

import { useEffect, useId, useRef, useSyncExternalStore } from "react";
import { useSearch } from "wouter";
import { createStore } from "zustand/vanilla";
import { type ProviderName, providerLabels, providerNames } from "#contract/users.ts";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Separator } from "#ui/components/ui/separator.tsx";
import { client } from "#ui/lib/client.ts";
import { onReachableAgain } from "#ui/lib/connection.ts";
import { originFrom } from "#ui/lib/page-token.ts";
import { authScreenTexts as texts } from "./texts.ts";

/** Google and GitHub: links where the server has them set up, disabled with the reason where not or not yet known. */
export const SocialButtons = () => {
  const providers = useProviders();
  const reasonId = useId();
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    void askProviders();
    return onReachableAgain(() => void askProviders());
  }, []);
  const retry = async () => {
    // The button that was pressed goes with the failure: focus must not fall to the top of the page.
    group.current?.focus();
    await askProviders();
  };
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      aria-label={texts.socialGroup}
      className="mt-6 grid gap-4 outline-none"
    >
      <Separator label={texts.socialLabel} />
      <div className="grid grid-cols-2 gap-3">
        {providerNames.map((name) => (
          <ProviderButton key={name} name={name} providers={providers} reasonId={reasonId} />
        ))}
      </div>
      {/* Two lines high whatever it says, so that nothing moves once it is known. */}
      <p
        id={reasonId}
        className="min-h-10 text-center text-muted-foreground text-[0.8125rem] leading-5 noscript:hidden"
      >
        {socialSentence(providers)}{" "}
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

type ProviderButtonProps = { name: ProviderName; providers: Providers; reasonId: string };

const ProviderButton = ({ name, providers, reasonId }: ProviderButtonProps) => {
  const search = useSearch();
  if (providers.step === "known" && providers.isConfigured[name]) {
    // Left for by the browser itself: the way leads through another site.
    return (
      <a href={providerPath(name, search)} className={buttonVariants({ variant: "outline" })}>
        {providerLabels[name]}
      </a>
    );
  }
  return (
    <Button variant="outline" disabled aria-describedby={reasonId}>
      {providerLabels[name]}
    </Button>
  );
};

/** What stands under the social buttons: which of them cannot be used and why, else how they work. */
export const socialSentence = (providers: Providers): string => {
  if (providers.step === "failed") return texts.socialFailed;
  if (providers.step === "unknown") return texts.socialUnknown;
  const missing = providerNames.filter((name) => !providers.isConfigured[name]);
  if (missing.length === 0) return texts.socialReady;
  return texts.socialMissing(missing.map((name) => providerLabels[name]));
};

/** Where the sign-in with a provider begins; it ends at the `from` of the page's query, else at the dashboard. */
export const providerPath = (name: ProviderName, search: string): string =>
  `/api/auth/${name}?returnTo=${encodeURIComponent(originFrom(search))}`;

/** Which providers users can sign in with; `failed` when the server has not said. */
type Providers =
  | { step: "unknown" }
  | { step: "failed" }
  | { step: "known"; isConfigured: Record<ProviderName, boolean> };

const store = createStore<Providers>(() => ({ step: "unknown" }));
let asking: Promise<void> | undefined;

/** What is known of the providers so far; nothing is in markup made ahead of time. */
const useProviders = (): Providers =>
  useSyncExternalStore(store.subscribe, store.getState, store.getInitialState);

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
    store.setState({ step: "known", isConfigured: (await client.auth.providers()).data }, true);
  } catch {
    // The buttons stay disabled and say so; a password works all the same.
    store.setState({ step: "failed" }, true);
  }
};

import { useEffect, useId, useRef } from "react";
import { useSearch } from "wouter";
import { type ProviderName, providerLabels, providerNames } from "#contract/users.ts";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Separator } from "#ui/components/ui/separator.tsx";
import { onReachableAgain } from "#ui/lib/connection.ts";
import { askProviders, type Providers, useProviders } from "./providers.ts";
import { providerPath, socialSentence } from "./social-sentence.ts";
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

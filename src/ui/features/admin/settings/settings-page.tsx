import { Plus } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { SignInProvider } from "#api/modules/providers/contract.ts";
import { isManagedByFirewall } from "#contract/settings.ts";
import { RetryAlert } from "#ui/components/retry-alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client, failureText } from "#ui/lib/api.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { KeepFocus, LazyPart } from "../list-parts.tsx";
import { PageHeader } from "../page-header.tsx";
import { getOpening, getSaved, type Opening } from "./api.ts";
import { FormWithBar, WhenLoaded } from "./form-with-bar.tsx";
import { SectionLinks } from "./section-links.tsx";
import { AccountsSection, FirewallCard, RateLimitSection, SecuritySection } from "./security-sections.tsx";
import { RedisSection, StorageSection } from "./service-sections.tsx";
import { Section } from "./setting-field.tsx";
import { leads, providersTexts, sections, settingsPageTexts as texts } from "./texts.ts";
import { useSettingsForm } from "./use-settings-form.ts";
import { useSystemStatus } from "./use-system-status.ts";

/** Everything that admins set of the installation, and how the external services are doing. */
export const AdminSettingsPage = () => {
  const opening = useRef<Opening | null>(null);
  // Once is enough: what comes later must take nothing from anyone who is typing, so the form would not look at it.
  const load = useCallback(async () => {
    opening.current ??= await getOpening();
    return opening.current;
  }, []);
  return (
    <div className="grid gap-6">
      <PageHeader title={texts.title} lead={texts.lead} />
      <WhenLoaded load={load}>{(data) => <AllSettings opening={data} />}</WhenLoaded>
    </div>
  );
};

// Panels that load what they show: so does their code.
const historyCode = async () => (await import("./history-panel.tsx")).HistoryPanel;
const mailCode = async () => (await import("./mail-panel.tsx")).MailPanel;

const waiting = <Skeleton className="m-5 h-48" />;

/** All settings with what belongs to them. */
const AllSettings = ({ opening }: { opening: Opening }) => {
  const element = useRef<HTMLFormElement>(null);
  const system = useSystemStatus(opening.status);
  // The history shows each saving as soon as it is done.
  const [savings, setSavings] = useState(0);
  const form = useSettingsForm({
    initial: opening.saved,
    isManaged: system.status !== null && isManagedByFirewall(system.status.firewall),
    form: element,
    onSaved: () => {
      setSavings((count) => count + 1);
      system.reload();
    },
  });
  useSectionOfAddress();

  const onReverted = async () => {
    form.adopt(await getSaved());
    system.reload();
  };

  return (
    <div className="flex gap-10">
      <div className="flex min-w-0 max-w-[44rem] grow flex-col gap-6">
        <FormWithBar form={form} element={element} className="grid min-w-0 gap-6">
          <RedisSection form={form} system={system} />
          <StorageSection form={form} system={system} />
          <FirewallCard system={system} />
          <RateLimitSection form={form} system={system} />
          <SecuritySection form={form} system={system} />
          <AccountsSection form={form} />
        </FormWithBar>
        <Section id="site" lead={leads.site}>
          <p className="px-5 py-4">
            <Link href="/admin/site" className={buttonVariants({ variant: "outline", size: "sm" })}>
              {texts.toSite}
            </Link>
          </p>
        </Section>
        <Section id="providers" lead={providersTexts.lead}>
          <ProvidersPanel onSaved={() => setSavings((count) => count + 1)} />
        </Section>
        <Section id="mail" lead={leads.mail}>
          <LazyPart code={mailCode} props={{}} fallback={waiting} />
        </Section>
        <Section id="history" lead={leads.history}>
          <LazyPart code={historyCode} props={{ savings, onReverted }} fallback={waiting} />
        </Section>
      </div>
      <SectionLinks sections={sections} look="column" />
    </div>
  );
};

// The sections are there only once their settings have come, too late for the browser to go to the one in the address.
const useSectionOfAddress = () => {
  useEffect(() => {
    if (location.hash !== "") document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
};

const ProviderSheet = lazy(async () => ({ default: (await import("./provider-sheet.tsx")).ProviderSheet }));

/** The sign-in providers with their states, and the ways to add, change and remove one. */
const ProvidersPanel = ({ onSaved }: { onSaved: () => void }) => {
  const load = useCallback(async () => (await client.providers.list()).data, []);
  const { data, error, isLoading, reload } = useLoad(load);
  const [opened, setOpened] = useState<SignInProvider | "new" | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  if (data === null && error === null)
    return (
      <div aria-busy="true" className="p-5">
        <span className="sr-only">{providersTexts.loading}</span>
        <Skeleton className="h-24 w-full" />
      </div>
    );
  return (
    <>
      {error !== null && (
        <div className="p-5">
          <RetryAlert onRetry={reload}>{failureText(error, providersTexts.loadFailed)}</RetryAlert>
        </div>
      )}
      {data?.providers.length === 0 && (
        <div className="grid justify-items-center gap-1 px-6 py-10 text-center">
          <p className="font-medium text-sm">{providersTexts.none}</p>
          <p className="max-w-sm text-[0.8125rem] text-muted-foreground">{providersTexts.noneText}</p>
        </div>
      )}
      {data !== null && data.providers.length > 0 && (
        <KeepFocus of={data}>
          <ul aria-label={providersTexts.list} aria-busy={isLoading} className="divide-y divide-border">
            {data.providers.map((provider) => (
              <ProviderRow
                key={`${provider.source} ${provider.id}`}
                provider={provider}
                onOpen={() => setOpened(provider)}
              />
            ))}
          </ul>
        </KeepFocus>
      )}
      {data !== null && (
        <div className="border-border border-t px-5 py-3">
          <Button ref={add} variant="outline" size="sm" onClick={() => setOpened("new")}>
            <Plus aria-hidden="true" />
            {providersTexts.add}
          </Button>
        </div>
      )}
      {data !== null && opened !== null && (
        <Suspense fallback={null}>
          <ProviderSheet
            provider={opened === "new" ? null : opened}
            others={data.providers}
            redirectUri={data.redirectUri}
            onClose={() => setOpened(null)}
            onSaved={() => {
              setOpened(null);
              reload();
              onSaved();
            }}
          />
        </Suspense>
      )}
    </>
  );
};

const tones = { on: "success", off: "neutral", overruled: "warning", unreadable: "danger" } as const;

type ProviderRowProps = { provider: SignInProvider; onOpen: () => void };

const ProviderRow = ({ provider, onOpen }: ProviderRowProps) => {
  const { id, state, lockedBy, settings, users, usersElsewhere } = provider;
  const isLocked = lockedBy !== null;
  const notes = [
    isLocked ? providersTexts.locked(lockedBy) : providersTexts.stateTexts[state],
    usersElsewhere > 0 && providersTexts.elsewhere(usersElsewhere),
  ].filter((note) => typeof note === "string");
  return (
    <li className="flex items-start justify-between gap-4 px-5 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
          <span className="wrap-anywhere">{settings.label}</span>
          <Badge tone={tones[state]}>{providersTexts.states[state]}</Badge>
        </p>
        <p className="wrap-anywhere text-[0.8125rem] text-muted-foreground">
          {id} · {settings.issuer} · {providersTexts.users(users)}
        </p>
        {notes.map((note) => (
          <p key={note} className="text-[0.8125rem] text-muted-foreground">
            {note}
          </p>
        ))}
      </div>
      <Button
        variant="outline"
        size="sm"
        aria-label={isLocked ? providersTexts.view(settings.label) : providersTexts.edit(settings.label)}
        onClick={onOpen}
      >
        {isLocked ? providersTexts.viewShort : providersTexts.editShort}
      </Button>
    </li>
  );
};

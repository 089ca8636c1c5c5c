import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { isManagedByFirewall } from "#contract/settings.ts";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { LazyPart } from "../list-parts.tsx";
import { PageHeader } from "../page-header.tsx";
import { getOpening, getSaved, type Opening } from "./api.ts";
import { FormWithBar, WhenLoaded } from "./form-with-bar.tsx";
import { ProvidersPanel } from "./providers-panel.tsx";
import { providersTexts } from "./providers-texts.ts";
import { SectionLinks } from "./section-links.tsx";
import { AccountsSection, FirewallCard, RateLimitSection, SecuritySection } from "./security-sections.tsx";
import { RedisSection, StorageSection } from "./service-sections.tsx";
import { Section } from "./setting-field.tsx";
import { leads, sections, settingsPageTexts as texts } from "./texts.ts";
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

import { Lock, RefreshCw, Shield, ShieldCheck } from "lucide-react";
import { Fragment } from "react";
import type { SystemStatus } from "#api/modules/system/contract.ts";
import { type FirewallStatus, pageSettingsTexts, type VisitorView } from "#contract/settings.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card, CardTitle } from "#ui/components/ui/card.tsx";
import { client } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { ConnectionTest } from "./connection-test.tsx";
import { type DeclaredField, type Draft, type DraftPath, fieldsBelow } from "./draft.ts";
import { Section, SettingField } from "./setting-field.tsx";
import { coreTexts, firewallTexts, leads } from "./texts.ts";
import type { SettingsForm } from "./use-settings-form.ts";
import type { SystemWatch } from "./use-system-status.ts";

type SecuritySectionProps = { form: SettingsForm; system: SystemWatch };

/** The switches of the core with what each does now; while the firewall manages them, what it forces is shown. */
export const SecuritySection = ({ form, system }: SecuritySectionProps) => {
  const { isManaged } = form;
  const visitor = system.status?.visitor ?? null;
  const hints = securityHints({
    saved: form.saved.draft,
    draft: form.draft,
    isManaged,
    status: system.status,
  });
  const rowOf = (path: DraftPath) => {
    if (!isSecurityPath(path)) return {};
    const { now, after } = hints[path];
    const isForced = isManaged && isForcible(path);
    return {
      ...(isForced && { forced: true }),
      hint: (
        <>
          {now} {path === "security.trustProxy" && visitor !== null && viewOf(visitor)}{" "}
          {isManaged && (isForced ? coreTexts.forced : coreTexts.locked)}
          {after !== null && <p className="text-foreground">{after}</p>}
        </>
      ),
    };
  };
  return (
    <Section id="security" lead={coreTexts.securityLead}>
      {isManaged && <ManagedNote />}
      <div className="divide-y divide-border px-5 py-1">
        {fieldsBelow("security").map((field) => (
          <Fragment key={field.path}>
            <SettingField form={form} field={field} {...rowOf(field.path)} />
            {field.path === "security.trustProxy" && visitor !== null && visitor.warning !== null && (
              <Alert severity="warning" title={coreTexts.proxyWarning} className="my-3">
                {visitor.warning}
              </Alert>
            )}
          </Fragment>
        ))}
      </div>
    </Section>
  );
};

const viewOf = ({ ip, peer, isBehindTrustedProxy, trustedProxies }: VisitorView): string =>
  `${isBehindTrustedProxy ? coreTexts.proxied(ip, peer) : coreTexts.direct(ip)} ${coreTexts.believed(trustedProxies)}`;

type SecurityPath = Extract<DraftPath, `security.${string}`>;

const isSecurityPath = (path: DraftPath): path is SecurityPath => path.startsWith("security.");

/** Whether the firewall turns it on while it manages the core. */
const isForcible = (path: SecurityPath): boolean => path !== "security.helmetEnabled";

/** What a switch does at this moment, and what it will do; `after` is `null` while nothing about it waits to be saved. */
type SwitchHint = { now: string; after: string | null };

type Facts = {
  saved: Draft;
  draft: Draft;
  /** The firewall forces some of them on and locks them all. */
  isManaged: boolean;
  /** `null` while it is not known. */
  status: Partial<Pick<SystemStatus, "cors">> | null;
};

/** Tells of each switch of the core what is in force, which is what was saved or what the firewall forces. */
export const securityHints = ({
  saved,
  draft,
  isManaged,
  status,
}: Facts): Record<SecurityPath, SwitchHint> => {
  const origins = status?.cors?.origins ?? null;
  const hint = (path: SecurityPath, say: (isOn: boolean) => string): SwitchHint => ({
    now: say(saved[path] || (isManaged && isForcible(path))),
    after: isManaged || draft[path] === saved[path] ? null : coreTexts.afterSaving(say(draft[path])),
  });
  return {
    "security.trustProxy": hint("security.trustProxy", (isOn) =>
      isOn ? coreTexts.trustOn : coreTexts.trustOff,
    ),
    "security.helmetEnabled": hint("security.helmetEnabled", (isOn) =>
      isOn ? coreTexts.helmetOn : coreTexts.helmetOff,
    ),
    "security.corsEnabled": hint("security.corsEnabled", (isOn) =>
      isOn ? corsOn(origins) : coreTexts.corsOff,
    ),
  };
};

// More than these would fill the card.
const mostNamed = 3;

const corsOn = (origins: string[] | null): string => {
  if (origins === null) return coreTexts.corsOn;
  if (origins.length === 0) return coreTexts.corsUnlisted;
  if (origins.length > mostNamed) return coreTexts.corsCounted(origins.length);
  return coreTexts.corsListed(new Intl.ListFormat("en").format(origins));
};

type RateLimitSectionProps = { form: SettingsForm; system: SystemWatch };

/** The core's own limit on calls: greyed and locked while the firewall manages it. */
export const RateLimitSection = ({ form, system }: RateLimitSectionProps) => {
  const { errors, isManaged } = form;
  const limiter = system.status?.limiter;
  const isValid = fieldsBelow("rateLimiting").every(({ path }) => errors[path] === undefined);
  return (
    <Section
      id="rate-limiting"
      lead={coreTexts.limitLead}
      status={
        <p className="mt-1 min-h-5 text-[0.8125rem]">
          {limiter !== undefined &&
            (limiter.isEnabled ? coreTexts.stores[limiter.store] : coreTexts.notCounted)}
        </p>
      }
      actions={
        <ConnectionTest
          kind="rate-limit"
          isReady={isValid && !isManaged}
          test={() => client.settings.testRateLimit()}
        />
      }
    >
      {isManaged && <ManagedNote />}
      <fieldset disabled={isManaged} className={cn("grid gap-5 p-5", isManaged && "opacity-60 grayscale")}>
        <div className="-my-3.5 border-border border-b">{rows(form, "main")}</div>
        <div className="mt-3.5 grid items-start gap-5 sm:grid-cols-2">{rows(form, "short")}</div>
        {rows(form, "long")}
        <div className="-mb-3.5 divide-y divide-border border-border border-t">{rows(form, "switch")}</div>
      </fieldset>
    </Section>
  );
};

type Place = "main" | "short" | "long" | "switch";

const rows = (form: SettingsForm, place: Place) =>
  fieldsBelow("rateLimiting")
    .filter((field) => placeOf(field) === place)
    .map((field) => <SettingField key={field.path} form={form} field={field} />);

/** The switch of all comes first, the others come last. */
const placeOf = ({ path, setting }: DeclaredField): Place => {
  if (path === "rateLimiting.enabled") return "main";
  if (setting.kind === "switch") return "switch";
  return setting.kind === "text" && setting.isLong === true ? "long" : "short";
};

/** How the firewall is, what follows for the settings below, and the way to look again. */
export const FirewallCard = ({ system }: { system: SystemWatch }) => {
  const { status, hasFailed, isRefreshing } = system;
  const isKnown = status !== null || hasFailed;
  const firewall = status?.firewall ?? null;
  const state = firewallState(firewall);
  const isManaging = state === "on" || state === "limitingOff";
  const Icon = isManaging ? ShieldCheck : Shield;
  return (
    <Card
      aria-labelledby="firewall-title"
      aria-busy={!isKnown}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4"
    >
      <div className="flex min-w-48 grow basis-0 gap-3">
        <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted-foreground" />
        <div className="grid min-w-0 gap-1">
          <div className="flex min-h-5.5 flex-wrap items-center gap-2">
            <CardTitle id="firewall-title">{firewallTexts.title}</CardTitle>
            {isKnown && (
              <Badge tone={isManaging ? "success" : "neutral"}>{firewallTexts.states[state].badge}</Badge>
            )}
          </div>
          <p role="status" className="min-h-5 text-[0.8125rem] text-muted-foreground">
            {isKnown && (
              <>
                {firewallTexts.states[state].text}
                {hasFailed && ` ${firewallTexts.unreachable}`}
                {firewall?.developmentModeEnabled === true && isManaging && ` ${firewallTexts.development}`}
              </>
            )}
          </p>
        </div>
      </div>
      <Button variant="outline" size="sm" isBusy={isRefreshing} onClick={() => void system.refreshFirewall()}>
        {!isRefreshing && <RefreshCw aria-hidden="true" />}
        {firewallTexts.refresh}
      </Button>
    </Card>
  );
};

/** How the firewall is, as far as the settings are concerned. */
type FirewallState = "absent" | "disabled" | "masterOff" | "limitingOff" | "on";

/** The firewall's state; one that cannot be asked (`null`) counts as disabled. */
export const firewallState = (firewall: FirewallStatus | null): FirewallState => {
  if (firewall === null) return "disabled";
  const { installed, enabled, masterSwitchEnabled, rateLimitingEnabled } = firewall;
  if (!installed) return "absent";
  if (!enabled) return "disabled";
  if (!masterSwitchEnabled) return "masterOff";
  return rateLimitingEnabled ? "on" : "limitingOff";
};

/** What holds for accounts; the firewall never manages it. */
export const AccountsSection = ({ form }: { form: SettingsForm }) => (
  <Section id="accounts" lead={leads.accounts}>
    <div className="grid gap-5 p-5">
      {fieldsBelow("accounts").map((field) => (
        <SettingField key={field.path} form={form} field={field} />
      ))}
    </div>
  </Section>
);

/** Says why the controls below it cannot be used. */
const ManagedNote = () => (
  <p className="flex items-center gap-2 border-border border-b bg-muted px-5 py-2.5 text-[0.8125rem] text-muted-foreground">
    <Lock aria-hidden="true" className="size-3.5 shrink-0" />
    {pageSettingsTexts.managedByFirewall}
  </p>
);

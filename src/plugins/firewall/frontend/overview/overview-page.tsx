import {
  Badge,
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  cn,
  EmptyState,
  Fact,
  formatCount,
  formatDateTime,
  Link,
  Skeleton,
  useLoad,
} from "@atrium/plugin-sdk/ui";
import { Shield, ShieldAlert, ShieldCheck } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import type { ConfigData, Counts, JournalEntry, StatusData } from "../../backend/wire.ts";
import { useDraft } from "../parts/draft.ts";
import { CardChoice, SavedForm, TextField } from "../parts/forms.tsx";
import { ConfigSwitch } from "../parts/instant-switch.tsx";
import { LoadAlert } from "../parts/lists.tsx";
import { VerdictBadge } from "../parts/requests.tsx";
import { levelOf, wholeNumberComplaint } from "../parts/rule-values.ts";
import { TitledCard } from "../parts/titled-card.tsx";
import { pathOf, type SubPage } from "../place.ts";
import { overviewTexts as texts } from "../texts.ts";
import { useFirewall, useRuleLoad } from "../use-firewall.ts";
import { chartRanges, countNames, groupMinutes, MinuteChart } from "./minute-chart.tsx";

const restingMs = 10_000;

/** How the firewall is, in one look, and what is decided for all of it. */
export const OverviewPage = () => {
  const { calls } = useFirewall();
  const load = useCallback(() => calls.status(), [calls]);
  const { data, error, reload } = useRuleLoad(load, restingMs);
  return (
    <div className="grid grid-cols-1 gap-4">
      {error !== null && data === null && <LoadAlert error={error} onRetry={reload} />}
      <StateCard status={data} />
      <TrafficCard counts={data?.last24Hours ?? null} />
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="grid grid-cols-1 gap-4">
          <SwitchesCard />
          <RulesCard status={data} />
        </div>
        <div className="grid grid-cols-1 gap-4">
          <LatestBlocks />
          <LevelForm />
        </div>
      </div>
    </div>
  );
};

/** What the firewall does at this moment, and the master switch. */
const StateCard = ({ status }: { status: StatusData | null }) => {
  const { config } = useFirewall();
  const { Icon, tint, tone, word } = stateLooks[stateOf(config)];
  return (
    <Card
      aria-labelledby="firewall-state"
      className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 p-5"
    >
      <div className="flex min-w-60 grow basis-0 gap-3.5">
        <Icon aria-hidden="true" className={`size-9 shrink-0 ${tint}`} />
        <div className="grid min-w-0 gap-1">
          <div className="flex flex-wrap items-center gap-2">
            <CardTitle id="firewall-state">{texts.state}</CardTitle>
            <Badge tone={tone}>{word}</Badge>
          </div>
          {status === null ? (
            <Skeleton className="h-5 w-56" />
          ) : (
            <p role="status" className="wrap-anywhere text-sm leading-5">
              {status.state}
            </p>
          )}
        </div>
      </div>
      <ConfigSwitch
        name="masterSwitchEnabled"
        className="min-w-60 grow basis-0 border-border sm:max-w-80 sm:border-l sm:pl-6"
        label={texts.master}
        hint={texts.masterHint}
      />
    </Card>
  );
};

const stateOf = ({ masterSwitchEnabled, developmentModeEnabled, trouble }: ConfigData) => {
  if (trouble !== null) return "trouble";
  if (!masterSwitchEnabled) return "off";
  return developmentModeEnabled ? "development" : "on";
};

const stateLooks = {
  trouble: { Icon: ShieldAlert, tint: "text-destructive", tone: "danger", word: texts.trouble },
  off: { Icon: Shield, tint: "text-muted-foreground", tone: "neutral", word: texts.off },
  development: { Icon: ShieldAlert, tint: "text-warning", tone: "warning", word: texts.development },
  on: { Icon: ShieldCheck, tint: "text-success", tone: "success", word: texts.on },
} as const;

const trafficMs = 30_000;

/** What came in: in numbers for a day, and over time. */
const TrafficCard = ({ counts }: { counts: Counts | null }) => {
  const { calls } = useFirewall();
  const [hours, setHours] = useState<(typeof chartRanges)[number]["hours"]>(24);
  const size = chartRanges.find((range) => range.hours === hours)?.minutes ?? 1;
  const load = useCallback(() => calls.minutes(hours), [calls, hours]);
  const { data, error, isLoading, reload } = useLoad(load, trafficMs);
  const groups = useMemo(() => (data === null ? null : groupMinutes(data.minutes, size)), [data, size]);
  return (
    <Card aria-labelledby="firewall-traffic" aria-busy={isLoading && data === null}>
      <CardHeader className="flex-wrap">
        <CardTitle id="firewall-traffic">{texts.counts}</CardTitle>
        <fieldset className="flex rounded-md border border-border p-0.5">
          <legend className="sr-only">{texts.range}</legend>
          {chartRanges.map((range) => (
            <button
              key={range.hours}
              type="button"
              aria-pressed={hours === range.hours}
              onClick={() => setHours(range.hours)}
              className="h-11 cursor-pointer rounded-sm px-3 text-[0.8125rem] text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring aria-pressed:bg-muted aria-pressed:font-medium aria-pressed:text-foreground md:h-7"
            >
              {texts.ranges[range.hours]}
            </button>
          ))}
        </fieldset>
      </CardHeader>
      <CardContent className="grid gap-5">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
          {countNames.map((name) => (
            <div key={name} className="grid content-start">
              <dt className="text-[0.8125rem] text-muted-foreground">{texts[name]}</dt>
              <dd
                className={cn(
                  "flex min-h-8 items-center font-semibold text-xl tabular-nums",
                  counts?.[name] === 0 ? "text-muted-foreground" : countTints[name],
                )}
              >
                {counts === null ? <Skeleton className="h-5 w-14" /> : formatCount(counts[name])}
              </dd>
              <dd className="text-muted-foreground text-xs">{texts.hints[name]}</dd>
            </div>
          ))}
        </dl>
        {groups === null && error === null && <Skeleton className="h-44 w-full" />}
        {groups === null && error !== null && <LoadAlert error={error} onRetry={reload} />}
        {groups !== null && <MinuteChart groups={groups} minutes={size} />}
      </CardContent>
    </Card>
  );
};

const countTints = {
  passed: "",
  blocked: "text-destructive",
  limited: "text-destructive",
  wouldBlock: "text-warning",
  spared: "",
};

/** What the firewall does while it is on, each switched by itself. */
const SwitchesCard = () => {
  const { config } = useFirewall();
  return (
    <TitledCard title={texts.switches}>
      {!config.masterSwitchEnabled && (
        <p className="px-5 pb-2 text-[0.8125rem] text-muted-foreground">{texts.idle}</p>
      )}
      <div className="divide-y divide-border border-border border-t px-5">
        {switches.map((own) => (
          <ConfigSwitch key={own.name} className="py-3.5" {...own} />
        ))}
      </div>
    </TitledCard>
  );
};

const switches = [
  { name: "developmentModeEnabled", label: texts.developmentMode, hint: texts.developmentHint },
  { name: "rateLimitingEnabled", label: texts.rates, hint: texts.ratesHint },
  { name: "patternsEnabled", label: texts.patterns, hint: texts.patternsHint },
  { name: "bansEnabled", label: texts.bans, hint: texts.bansHint },
] as const;

/** How many rules there are of each kind, and the ways to them. */
const RulesCard = ({ status }: { status: StatusData | null }) => {
  const { api, config } = useFirewall();
  const { ownAddress, ownCountry, knowsCountries } = config;
  const to = (page: SubPage, words: string, query = "") => (
    <Link
      href={api.addressOf(`${pathOf(page)}${query}`)}
      className="text-primary tabular-nums underline underline-offset-2 max-md:inline-block max-md:py-3"
    >
      {words}
    </Link>
  );
  const patternsOn = (status?.patterns ?? 0) - (status?.patternsOff ?? 0);
  return (
    <TitledCard title={texts.rules} aria-busy={status === null}>
      <CardContent>
        {status === null ? (
          <Skeleton className="h-56 w-full" />
        ) : (
          <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 text-sm md:gap-y-2.5">
            <Fact name={texts.allowed}>{to("addresses", formatCount(status.allowed), "?kind=allow")}</Fact>
            <Fact name={texts.denied}>{to("addresses", formatCount(status.denied), "?kind=deny")}</Fact>
            <Fact name={texts.countries}>
              {to("countries", texts.countryModes[status.countryMode])}
              {status.countryMode !== "off" && ` · ${formatCount(status.countries)}`}
              {!knowsCountries && (
                <span className="block text-[0.8125rem] text-warning">{texts.countriesUnknown}</span>
              )}
            </Fact>
            <Fact name={texts.rateRules}>{to("rates", formatCount(status.rates))}</Fact>
            <Fact name={texts.patternsOn}>
              {to("attacks", texts.ofPatterns(formatCount(patternsOn), formatCount(status.patterns)))}
            </Fact>
            <Fact name={texts.exemptions}>
              {to("attacks", formatCount(status.exemptions), "?list=exemptions")}
            </Fact>
            <Fact name={texts.bansNow}>{to("bans", formatCount(status.bans))}</Fact>
            <Fact name={texts.ownAddress}>
              {ownAddress === null && texts.terminal}
              {ownAddress !== null &&
                (ownCountry === null ? ownAddress : texts.fromCountry(ownAddress, ownCountry))}
            </Fact>
          </dl>
        )}
      </CardContent>
    </TitledCard>
  );
};

const latestMs = 15_000;

/** The five that were stopped last. */
const LatestBlocks = () => {
  const { api, calls } = useFirewall();
  const load = useCallback(() => calls.journal({ verdict: "blocked", limit: 5 }), [calls]);
  const { data, error, reload } = useLoad(load, latestMs);
  return (
    <Card aria-labelledby="firewall-latest" aria-busy={data === null && error === null}>
      <CardHeader>
        <CardTitle id="firewall-latest">{texts.latest}</CardTitle>
        <Link
          href={api.addressOf(pathOf("explain"))}
          className="text-[0.8125rem] text-primary underline underline-offset-2 max-md:py-2"
        >
          {texts.latestAll}
        </Link>
      </CardHeader>
      {data === null && error === null && <Skeleton className="mx-5 mb-5 h-40" />}
      {data === null && error !== null && (
        <div className="px-5 pb-5">
          <LoadAlert error={error} onRetry={reload} />
        </div>
      )}
      {data?.entries.length === 0 && (
        <EmptyState Icon={ShieldCheck} title={texts.none} text={texts.noneText} />
      )}
      {data !== null && data.entries.length > 0 && (
        <ul className="divide-y divide-border border-border border-t">
          {data.entries.map((entry) => (
            <Block key={entry.id} entry={entry} href={api.addressOf(pathOf("explain", entry.id))} />
          ))}
        </ul>
      )}
    </Card>
  );
};

const Block = ({ entry, href }: { entry: JournalEntry; href: string }) => (
  <li className="relative grid grid-cols-1 gap-0.5 px-5 py-2.5 text-[0.8125rem] hover:bg-muted/60">
    <span className="flex items-center justify-between gap-3">
      <Link
        href={href}
        title={entry.path}
        className="min-w-0 truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
      >
        {entry.method} {entry.path}
      </Link>
      <VerdictBadge verdict={entry.verdict} />
    </span>
    <span className="wrap-anywhere text-muted-foreground">
      {entry.reasons[0]?.text ?? ""} · {entry.address} ·{" "}
      <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
    </span>
  </li>
);

/** Paranoia level and threshold; both are saved together. */
const LevelForm = () => {
  const { api, calls, config } = useFirewall();
  const { value, changes, isDirty, change, discard } = useDraft({
    paranoiaLevel: config.paranoiaLevel,
    threshold: String(config.threshold),
  });
  const { paranoiaLevel, threshold } = value;
  const complaint = wholeNumberComplaint(threshold, [1, 100]);
  // What somebody else changes meanwhile stays theirs.
  const { threshold: typed, ...level } = changes;
  return (
    <SavedForm
      title={texts.strict}
      isDirty={isDirty}
      complaint={complaint === null ? null : ""}
      send={(revision) =>
        calls.saveSwitches({
          ...level,
          ...(typed !== undefined && { threshold: Number(typed) }),
          revision,
        })
      }
      onDiscard={discard}
    >
      <CardChoice
        label={texts.level}
        names={texts.levels}
        value={`${paranoiaLevel}`}
        onChoose={(choice) => change({ paranoiaLevel: levelOf(choice) ?? paranoiaLevel })}
      />
      <TextField
        label={texts.threshold}
        hint={texts.thresholdHint}
        error={complaint}
        name="threshold"
        isNumber
        value={threshold}
        onChange={(event) => change({ threshold: event.target.value })}
      />
      <p className="text-[0.8125rem]">
        <Link href={api.addressOf(pathOf("replay"))} className="text-primary underline underline-offset-2">
          {texts.replayHint}
        </Link>
      </p>
    </SavedForm>
  );
};

import {
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  Fact,
  formatCount,
  Link,
  Skeleton,
} from "@atrium/plugin-sdk/ui";
import type { StatusData } from "../../backend/wire.ts";
import { pathOf, type SubPage } from "../place.ts";
import { overviewTexts as texts } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";

/** How many rules there are of each kind, and the ways to them. */
export const RulesCard = ({ status }: { status: StatusData | null }) => {
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
    <Card aria-labelledby="firewall-rules" aria-busy={status === null}>
      <CardHeader>
        <CardTitle id="firewall-rules">{texts.rules}</CardTitle>
      </CardHeader>
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
    </Card>
  );
};

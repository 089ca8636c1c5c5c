import {
  Alert,
  Button,
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  formatCount,
  Link,
} from "@atrium/plugin-sdk/ui";
import type { Proposal } from "../../backend/wire.ts";
import { useRowActions } from "../parts/use-row-actions.ts";
import { pathOf } from "../place.ts";
import { attackTexts as texts } from "../rule-texts.ts";
import { texts as common } from "../texts.ts";
import { useFirewall } from "../use-firewall.ts";

type ProposalListProps = { proposals: readonly Proposal[]; accept: (proposal: Proposal) => Promise<unknown> };

/** Exemptions that requests of signed-in users suggest, each accepted with one press; nothing without any. */
export const ProposalList = ({ proposals, accept }: ProposalListProps) => {
  const { api } = useFirewall();
  const { busy, failure, act } = useRowActions();
  if (proposals.length === 0) return null;
  return (
    <Card aria-labelledby="firewall-proposals">
      <CardHeader>
        <CardTitle id="firewall-proposals">{texts.proposals}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-4">
        <p className="max-w-2xl text-muted-foreground text-sm">{texts.proposalsLead}</p>
        {failure !== null && <Alert severity="error">{failure}</Alert>}
        <ul className="grid gap-3">
          {proposals.map((proposal) => {
            const { id, method, path, fields, categories, requests, users, examples } = proposal;
            const route = `${method} ${path}`;
            const names = fields.join(", ");
            return (
              <li key={id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 text-sm">
                <div className="wrap-anywhere min-w-0">
                  <p>{texts.proposal(names, route)}</p>
                  <p className="text-[0.8125rem] text-muted-foreground">
                    {texts.proposedBy(formatCount(requests), requests === 1, formatCount(users), users === 1)}{" "}
                    {categories.map((category) => common.categories[category]).join(", ")}{" "}
                    {examples[0] !== undefined && (
                      <Link
                        href={api.addressOf(pathOf("explain", examples[0]))}
                        className="underline underline-offset-2"
                      >
                        {texts.example}
                      </Link>
                    )}
                  </p>
                </div>
                <Button
                  size="sm"
                  variant="outline"
                  disabled={busy !== null}
                  aria-label={texts.acceptFor(names, route)}
                  onClick={() =>
                    act(id, async () => {
                      await accept(proposal);
                      api.notify(texts.accepted(names, route));
                    })
                  }
                >
                  {texts.accept}
                </Button>
              </li>
            );
          })}
        </ul>
      </CardContent>
    </Card>
  );
};

import type { ApiToken } from "#api/modules/tokens/contract.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { tokenPageTexts as texts } from "./texts.ts";

/** What a token may do, a badge for each scope. */
export const ScopeBadges = ({ scopes }: Pick<ApiToken, "scopes">) => (
  <span className="flex flex-wrap gap-1">
    {scopes.map((scope) =>
      scope === "*" ? (
        <Badge key={scope} tone="warning">
          {texts.everything}
        </Badge>
      ) : (
        <Badge key={scope}>{scope}</Badge>
      ),
    )}
  </span>
);

/** Whether a token can be used; also that it is refused because of its owner. */
export const StateBadge = ({ token: { state, owner } }: { token: ApiToken }) => {
  const shown = state === "live" && owner?.isActive === false ? "ownerless" : state;
  return <Badge tone={tones[shown]}>{texts.states[shown]}</Badge>;
};

const tones = { live: "success", expired: "neutral", revoked: "danger", ownerless: "warning" } as const;

import type { TrustedKey } from "#contract/plugins.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Copyable } from "../../copyable.tsx";
import { Fact } from "../../fact.tsx";
import { formatDate } from "../../format.ts";
import { keyTexts as texts } from "./texts.ts";

type KeyRowProps = { trusted: TrustedKey; onRevoke: () => void };

/** One key: whose it is, for which plugins and how long it counts, and its button unless it is not an admin's to revoke. */
export const KeyRow = ({ trusted, onRevoke }: KeyRowProps) => {
  const { keyId, label, tier, names, revokedAt, source, addedBy } = trusted;
  const isOperators = source === "environment";
  return (
    <li className="grid gap-3 px-5 py-4 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="wrap-anywhere font-medium">{label}</h2>
        <Badge tone={tier === "native" ? "warning" : "success"}>{texts.tiers[tier]}</Badge>
        {isOperators && <Badge>{texts.environment}</Badge>}
        {revokedAt !== null && <Badge tone="danger">{texts.revoked(formatDate(revokedAt))}</Badge>}
        {!isOperators && revokedAt === null && (
          <Button
            variant="outline"
            size="sm"
            aria-label={texts.revokeName(label)}
            onClick={onRevoke}
            className="ml-auto"
          >
            {texts.revoke}
          </Button>
        )}
      </div>
      {isOperators && <p className="text-[0.8125rem] text-muted-foreground">{texts.environmentText}</p>}
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[7rem_1fr]">
        <Fact name={texts.names}>{names.includes("*") ? texts.anyName : names.join(", ")}</Fact>
        <Fact name={texts.validity}>{validityOf(trusted)}</Fact>
        {addedBy !== null && <Fact name={texts.addedBy}>{addedBy}</Fact>}
        <Fact name={texts.id}>
          <Copyable name={texts.id} text={keyId} isCode />
        </Fact>
      </dl>
    </li>
  );
};

const validityOf = ({ notBefore, notAfter }: TrustedKey): string =>
  [
    notBefore !== null && texts.from(formatDate(notBefore)),
    notAfter !== null && texts.until(formatDate(notAfter)),
  ]
    .filter(Boolean)
    .join(" ") || texts.always;

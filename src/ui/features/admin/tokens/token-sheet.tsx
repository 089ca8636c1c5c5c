import { useState } from "react";
import type { ApiToken } from "#api/modules/tokens/contract.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { client } from "#ui/lib/client.ts";
import { notify } from "#ui/lib/notices.ts";
import { Fact } from "../fact.tsx";
import { formatDateTime } from "../format.ts";
import { SheetPart } from "../sheet-part.tsx";
import { createTexts, tokenTexts as texts, tokenPageTexts } from "./texts.ts";
import { TokenForm } from "./token-form.tsx";
import { ScopeBadges, StateBadge } from "./token-marks.tsx";

type TokenSheetProps = { token: ApiToken; onClose: () => void; onChanged: () => void };

/** One token: what is known of it, the form of what can be changed, and the ways to revoke or remove it. */
export const TokenSheet = ({ token, onClose, onChanged }: TokenSheetProps) => {
  const [asked, setAsked] = useState<"revoke" | "remove" | null>(null);
  const { id, name, owner, lastUsedAt, lastUsedIp } = token;
  const offer = token.state === "live" ? "revoke" : "remove";
  const question = asked !== null && questions[asked];
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={name}
      description={texts.hint(token.hint)}
      actions={
        <Button variant="outline" size="sm" onClick={() => setAsked(offer)}>
          {texts[offer]}
        </Button>
      }
    >
      <div className="grid gap-6">
        {token.state === "live" && owner?.isActive === false && (
          <Alert severity="warning">{tokenPageTexts.ownerGone}</Alert>
        )}
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[6.5rem_1fr]">
          <Fact name={columns.state}>
            <StateBadge token={token} />
          </Fact>
          <Fact name={columns.scopes}>
            <ScopeBadges {...token} />
          </Fact>
          <Fact name={columns.owner}>{owner?.email ?? tokenPageTexts.operator}</Fact>
          <Fact name={texts.created}>{formatDateTime(token.createdAt)}</Fact>
          <Fact name={columns.expires}>{momentOf(token.expiresAt)}</Fact>
          <Fact name={columns.used}>
            {lastUsedIp === null ? momentOf(lastUsedAt) : texts.from(momentOf(lastUsedAt), lastUsedIp)}
          </Fact>
          {token.revokedAt !== null && (
            <Fact name={tokenPageTexts.states.revoked}>{momentOf(token.revokedAt)}</Fact>
          )}
          {token.state !== "live" && token.allowedNetworks.length > 0 && (
            <Fact name={createTexts.networks}>{token.allowedNetworks.join(", ")}</Fact>
          )}
        </dl>
        {token.state === "live" && (
          <SheetPart title={texts.change}>
            <TokenForm token={token} onChanged={onChanged} />
          </SheetPart>
        )}
      </div>
      {question !== false && (
        <ConfirmDialog
          open
          onClose={() => setAsked(null)}
          title={question.title(name)}
          question={question.text}
          action={question.action}
          isDangerous={asked === "revoke"}
          fallback={question.fallback}
          onConfirm={async () => {
            const { message } = await (asked === "revoke"
              ? client.tokens.revoke({ id })
              : client.tokens.remove({ id }));
            notify({ tone: "success", message });
            setAsked(null);
            onChanged();
          }}
        />
      )}
    </Sheet>
  );
};

const { columns } = tokenPageTexts;

const momentOf = (iso: string | null) => (iso === null ? tokenPageTexts.never : formatDateTime(iso));

const questions = {
  revoke: {
    title: texts.revokeTitle,
    text: texts.revokeText,
    action: texts.revokeConfirm,
    fallback: texts.revokeFailed,
  },
  remove: {
    title: texts.removeTitle,
    text: texts.removeText,
    action: texts.remove,
    fallback: texts.removeFailed,
  },
} as const;

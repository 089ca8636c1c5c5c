import { KeyRound } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ApiToken, NewApiToken } from "#api/modules/tokens/contract.ts";
import { tokenFields } from "#contract/field-marks.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { client } from "#ui/lib/api.ts";
import { useLeaveGuard } from "#ui/lib/use-leave-guard.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { Copyable, SheetPart } from "../facts.tsx";
import { formatDate, formatDateTime } from "../format.ts";
import { EmptyList, KeepFocus } from "../list-parts.tsx";
import { PageHeader } from "../page-header.tsx";
import { newTokenTexts, tokenPageTexts } from "./texts.ts";
import { CreateSheet, ScopeBadges, StateBadge, TokenSheet } from "./token-sheet.tsx";

const refreshMs = 30_000;
const listTokens = async () => (await client.tokens.list()).data.tokens;

/** The API tokens: what there is, the making of another, and the ways to end one. */
export const AdminTokensPage = () => {
  const { data: tokens, error, reload } = useLoad(listTokens, refreshMs);
  const [isCreating, setIsCreating] = useState(false);
  const [made, setMade] = useState<NewApiToken | null>(null);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const opened = tokens?.find(({ id }) => id === openedId);
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        title={tokenPageTexts.title}
        lead={tokenPageTexts.lead}
        actions={
          <Button onClick={() => setIsCreating(true)} className="max-sm:w-full">
            <KeyRound aria-hidden="true" />
            {tokenPageTexts.create}
          </Button>
        }
      />
      {error !== null && <AccessError error={error} hasData={tokens !== null} onRetry={reload} />}
      {tokens === null && error === null && (
        <Card aria-busy="true" aria-label={tokenPageTexts.loading} className="p-5">
          <Skeleton className="h-60 w-full" />
        </Card>
      )}
      {tokens !== null && (
        <KeepFocus of={tokens}>
          <Card className="overflow-clip">
            {tokens.length === 0 ? (
              <EmptyList Icon={KeyRound} title={tokenPageTexts.none} text={tokenPageTexts.noneText}>
                <div className="mt-3 text-left">
                  <Copyable isCode name={tokenPageTexts.example} text={exampleCall()} />
                </div>
              </EmptyList>
            ) : (
              <TokenTable tokens={tokens} onOpen={setOpenedId} />
            )}
          </Card>
        </KeepFocus>
      )}
      {isCreating && (
        <CreateSheet
          onClose={() => setIsCreating(false)}
          onMade={(token) => {
            setIsCreating(false);
            setMade(token);
            reload();
          }}
        />
      )}
      {made !== null && <NewToken made={made} onClose={() => setMade(null)} />}
      {opened !== undefined && (
        <TokenSheet token={opened} onClose={() => setOpenedId(null)} onChanged={reload} />
      )}
    </div>
  );
};

type TokenTableProps = { tokens: readonly ApiToken[]; onOpen: (id: string) => void };

/** The tokens, a row each; a press anywhere in a row opens it. */
const TokenTable = ({ tokens, onOpen }: TokenTableProps) => (
  <Table label={tokenPageTexts.table}>
    <TableHeader columns={columns} />
    <TableBody>
      {tokens.map((token) => (
        <TableRow key={token.id} className="relative hover:bg-muted/60">
          <th scope="row" className="w-full max-w-0 py-1 pr-3 pl-4 text-left font-medium">
            <button
              type="button"
              onClick={() => onOpen(token.id)}
              className="wrap-anywhere min-h-8 cursor-pointer text-left outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset"
            >
              {token.name}
            </button>
            <span className="block pb-1 font-mono font-normal text-muted-foreground text-xs">
              …{token.hint}
            </span>
            <span className="block pb-1 lg:hidden">
              <ScopeBadges {...token} />
            </span>
          </th>
          <TableCell className={looks.scopes}>
            <ScopeBadges {...token} />
          </TableCell>
          <TableCell className={looks.owner}>{token.owner?.name ?? tokenPageTexts.operator}</TableCell>
          <TableCell className={looks.used}>
            {token.lastUsedAt === null ? tokenPageTexts.never : formatDateTime(token.lastUsedAt)}
          </TableCell>
          <TableCell className={looks.expires}>
            {token.expiresAt === null ? tokenPageTexts.never : formatDate(token.expiresAt)}
          </TableCell>
          <TableCell>
            <StateBadge token={token} />
          </TableCell>
        </TableRow>
      ))}
    </TableBody>
  </Table>
);

// What a narrow window has no room for goes; the scopes move below the name.
const looks = {
  scopes: "max-lg:hidden",
  owner: "max-xl:hidden",
  used: "max-md:hidden",
  expires: "max-md:hidden",
};
const columns = [
  { name: tokenFields.name.label },
  { name: tokenFields.scopes.label, look: looks.scopes },
  { name: tokenFields.owner.label, look: looks.owner },
  { name: tokenFields.lastUsedAt.label, look: looks.used },
  { name: tokenFields.expiresAt.label, look: looks.expires },
  { name: tokenFields.state.label },
];

type NewTokenProps = { made: NewApiToken; onClose: () => void };

/** A token that was just made, this once: anyone who goes without saying that they have it is asked. */
const NewToken = ({ made, onClose }: NewTokenProps) => {
  const [isClosing, setIsClosing] = useState(false);
  const guard = useLeaveGuard(true);
  const box = useRef<HTMLDivElement>(null);
  // Copying is what is to be done first, by the keyboard too.
  useEffect(() => box.current?.querySelector("button")?.focus(), []);
  return (
    <Sheet
      open
      onOpenChange={() => setIsClosing(true)}
      title={newTokenTexts.title}
      description={newTokenTexts.lead}
      actions={<Button onClick={onClose}>{newTokenTexts.done}</Button>}
    >
      <div className="grid gap-6">
        <div ref={box} className="rounded-md border border-border bg-muted px-3.5 py-3">
          <Copyable isCode name={newTokenTexts.token} text={made.token} />
        </div>
        <SheetPart title={newTokenTexts.use}>
          <Copyable isCode name={newTokenTexts.command} text={exampleCall()} />
        </SheetPart>
      </div>
      <ConfirmDialog
        open={isClosing || guard.isAsking}
        onClose={() => {
          setIsClosing(false);
          guard.stay();
        }}
        title={newTokenTexts.leaveTitle}
        question={newTokenTexts.leaveText}
        action={newTokenTexts.leave}
        fallback={newTokenTexts.leave}
        onConfirm={async () => {
          guard.leave();
          onClose();
        }}
      />
    </Sheet>
  );
};

/** A call of this server's API with a token that is in the environment. */
const exampleCall = (): string =>
  `curl -H "Authorization: Bearer $ATRIUM_TOKEN" ${location.origin}/api/plugins`;

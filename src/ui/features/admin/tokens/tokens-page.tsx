import { KeyRound } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ApiToken, NewApiToken } from "#api/modules/tokens/contract.ts";
import { tokenFields } from "#contract/field-marks.ts";
import { SecretQuestion } from "#ui/components/confirm-dialog.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { type Column, DataTable, pressableRow, RowButton } from "#ui/components/ui/table.tsx";
import { client } from "#ui/lib/api.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { Copyable, SheetPart } from "../facts.tsx";
import { formatDate, formatDateTime } from "../format.ts";
import { EmptyList, KeepFocus, LoadedData } from "../list-parts.tsx";
import { PageHeader } from "../page-header.tsx";
import { newTokenTexts, tokenPageTexts } from "./texts.ts";
import { CreateSheet, ScopeBadges, StateBadge, TokenSheet } from "./token-sheet.tsx";

const refreshMs = 30_000;
const listTokens = async () => (await client.tokens.list()).data.tokens;

/** The API tokens: what there is, the making of another, and the ways to end one. */
export const AdminTokensPage = () => {
  const loaded = useLoad(listTokens, refreshMs);
  const { reload } = loaded;
  const [isCreating, setIsCreating] = useState(false);
  const [made, setMade] = useState<NewApiToken | null>(null);
  const [openedId, setOpenedId] = useState<string | null>(null);
  const opened = loaded.data?.find(({ id }) => id === openedId);
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
      <LoadedData
        loaded={loaded}
        skeleton={
          <Card aria-busy="true" aria-label={tokenPageTexts.loading} className="p-5">
            <Skeleton className="h-60 w-full" />
          </Card>
        }
      >
        {(tokens) => (
          <KeepFocus of={tokens}>
            <Card className="overflow-clip">
              {tokens.length === 0 ? (
                <EmptyList Icon={KeyRound} title={tokenPageTexts.none} text={tokenPageTexts.noneText}>
                  <div className="mt-3 text-left">
                    <Copyable isCode name={tokenPageTexts.example} text={exampleCall()} />
                  </div>
                </EmptyList>
              ) : (
                <DataTable
                  label={tokenPageTexts.table}
                  columns={columnsFor(setOpenedId)}
                  rows={tokens}
                  keyOf={({ id }) => id}
                  rowLook={pressableRow}
                />
              )}
            </Card>
          </KeepFocus>
        )}
      </LoadedData>
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

// What a narrow window has no room for goes; the scopes move below the name.
const columnsFor = (onOpen: (id: string) => void): readonly Column<ApiToken>[] => [
  {
    name: tokenFields.name.label,
    isHeading: true,
    cellLook: "py-1",
    cell: (token) => (
      <>
        <RowButton onClick={() => onOpen(token.id)} className="wrap-anywhere min-h-8">
          {token.name}
        </RowButton>
        <span className="block pb-1 font-mono font-normal text-muted-foreground text-xs">…{token.hint}</span>
        <span className="block pb-1 lg:hidden">
          <ScopeBadges {...token} />
        </span>
      </>
    ),
  },
  { name: tokenFields.scopes.label, look: "max-lg:hidden", cell: (token) => <ScopeBadges {...token} /> },
  {
    name: tokenFields.owner.label,
    look: "max-xl:hidden",
    cell: ({ owner }) => owner?.name ?? tokenPageTexts.operator,
  },
  {
    name: tokenFields.lastUsedAt.label,
    look: "max-md:hidden",
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? tokenPageTexts.never : formatDateTime(lastUsedAt)),
  },
  {
    name: tokenFields.expiresAt.label,
    look: "max-md:hidden",
    cell: ({ expiresAt }) => (expiresAt === null ? tokenPageTexts.never : formatDate(expiresAt)),
  },
  { name: tokenFields.state.label, cell: (token) => <StateBadge token={token} /> },
];

type NewTokenProps = { made: NewApiToken; onClose: () => void };

/** A token that was just made, this once: anyone who goes without saying that they have it is asked. */
const NewToken = ({ made, onClose }: NewTokenProps) => {
  const [isClosing, setIsClosing] = useState(false);

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
      <SecretQuestion
        isClosing={isClosing}
        onStay={() => setIsClosing(false)}
        onLeave={onClose}
        title={newTokenTexts.leaveTitle}
        question={newTokenTexts.leaveText}
        action={newTokenTexts.leave}
      />
    </Sheet>
  );
};

/** A call of this server's API with a token that is in the environment. */
const exampleCall = (): string =>
  `curl -H "Authorization: Bearer $ATRIUM_TOKEN" ${location.origin}/api/plugins`;

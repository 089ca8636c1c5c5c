import { KeyRound } from "lucide-react";
import { useState } from "react";
import type { NewApiToken } from "#api/modules/tokens/contract.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { Copyable } from "../copyable.tsx";
import { EmptyList } from "../empty-list.tsx";
import { PageHeader } from "../page-header.tsx";
import { KeepFocus } from "../users/keep-focus.tsx";
import { CreateSheet } from "./create-sheet.tsx";
import { exampleCall } from "./example-call.ts";
import { NewToken } from "./new-token.tsx";
import { tokenPageTexts as texts } from "./texts.ts";
import { TokenSheet } from "./token-sheet.tsx";
import { TokenTable } from "./token-table.tsx";

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
        title={texts.title}
        lead={texts.lead}
        actions={
          <Button onClick={() => setIsCreating(true)} className="max-sm:w-full">
            <KeyRound aria-hidden="true" />
            {texts.create}
          </Button>
        }
      />
      {error !== null && <AccessError error={error} hasData={tokens !== null} onRetry={reload} />}
      {tokens === null && error === null && (
        <Card aria-busy="true" aria-label={texts.loading} className="p-5">
          <Skeleton className="h-60 w-full" />
        </Card>
      )}
      {tokens !== null && (
        <KeepFocus of={tokens}>
          <Card className="overflow-clip">
            {tokens.length === 0 ? (
              <EmptyList Icon={KeyRound} title={texts.none} text={texts.noneText}>
                <div className="mt-3 text-left">
                  <Copyable isCode name={texts.example} text={exampleCall()} />
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

import { useId, useState } from "react";
import type { Account } from "#api/modules/account/contract.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccountCard, LoadedPart } from "./account-card.tsx";
import { DeleteDialog } from "./delete-dialog.tsx";
import { accountScreenTexts as texts } from "./texts.ts";

/** Deletes the account for good; the last administrator sees why not. */
export const DeleteCard = ({ account }: { account: Loaded<Account> }) => (
  <AccountCard title={texts.delete} lead={texts.deleteLead} isDanger>
    <LoadedPart loaded={account} skeleton={<Skeleton className="h-11 sm:w-40 md:h-9" />}>
      {(data) => <DeleteButton account={data} />}
    </LoadedPart>
  </AccountCard>
);

const DeleteButton = ({ account }: { account: Account }) => {
  const [isAsked, setIsAsked] = useState(false);
  const reasonId = useId();
  const { isLastAdmin } = account;
  return (
    <div className="grid gap-3">
      {isLastAdmin && (
        <p id={reasonId} className="text-sm">
          {texts.lastAdmin}
        </p>
      )}
      <Button
        variant="destructive"
        disabled={isLastAdmin}
        aria-describedby={isLastAdmin ? reasonId : undefined}
        onClick={() => setIsAsked(true)}
        className="sm:justify-self-start"
      >
        {texts.deleteOpen}
      </Button>
      {isAsked && <DeleteDialog account={account} onClose={() => setIsAsked(false)} />}
    </div>
  );
};

import { KeyRound } from "lucide-react";
import type { Account } from "#api/modules/account/contract.ts";
import { providerNames } from "#contract/users.ts";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccountCard, LoadedPart } from "./account-card.tsx";
import { MethodRow } from "./method-row.tsx";
import { ProviderMethod } from "./provider-method.tsx";
import { accountScreenTexts as texts } from "./texts.ts";

/** The ways into the account, and how to add or remove one. */
export const MethodsCard = ({ account }: { account: Loaded<Account> }) => (
  <AccountCard title={texts.methods} lead={texts.methodsLead}>
    <LoadedPart loaded={account} skeleton={<ListSkeleton />}>
      {(data) => (
        <ul className="divide-y divide-border rounded-md border border-border">
          <MethodRow
            icon={<KeyRound aria-hidden="true" />}
            name={texts.emailMethod}
            detail={data.hasPassword ? data.user.email : texts.noPasswordYet}
            state={
              <Badge tone={data.hasPassword ? "success" : "neutral"}>
                {data.hasPassword ? texts.inUse : texts.notSet}
              </Badge>
            }
          />
          {providerNames.map((name) => (
            <ProviderMethod key={name} name={name} account={data} onChange={account.reload} />
          ))}
        </ul>
      )}
    </LoadedPart>
  </AccountCard>
);

const ListSkeleton = () => (
  <div className="divide-y divide-border rounded-md border border-border">
    {["a", "b", "c"].map((key) => (
      <div key={key} className="flex min-h-17 items-center gap-3 px-4">
        <Skeleton className="size-5" />
        <div className="grid gap-1.5">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-4 w-44" />
        </div>
      </div>
    ))}
  </div>
);

import { useEffect, useRef, useState } from "react";
import type { Account } from "#api/modules/account/contract.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccountCard, LoadedPart } from "./account-card.tsx";
import { NoPassword } from "./no-password.tsx";
import { PasswordForm } from "./password-form.tsx";
import { accountScreenTexts as texts } from "./texts.ts";

type PasswordCardProps = { name: string; account: Loaded<Account>; onChange: () => void };

/** Changes the password, or has a link mailed that sets the first one. */
export const PasswordCard = ({ name, account, onChange }: PasswordCardProps) => {
  const [done, setDone] = useState<{ count: number; message: string }>({ count: 0, message: "" });
  const message = useRef<HTMLDivElement>(null);
  // The form begins anew, so the focus goes to what has come of it.
  useEffect(() => {
    if (done.count > 0) message.current?.focus();
  }, [done.count]);
  const finish = (text: string) => {
    setDone(({ count }) => ({ count: count + 1, message: text }));
    onChange();
  };
  return (
    <AccountCard title={texts.password} lead={texts.passwordLead}>
      <LoadedPart loaded={account} skeleton={<FormSkeleton />}>
        {({ hasPassword, user: { email } }) =>
          hasPassword ? (
            <div className="grid gap-5">
              {done.count > 0 && (
                <div ref={message} tabIndex={-1} className="rounded-md">
                  <Alert>{done.message}</Alert>
                </div>
              )}
              <PasswordForm key={done.count} owner={{ name, email }} onDone={finish} />
            </div>
          ) : (
            <NoPassword email={email} />
          )
        }
      </LoadedPart>
    </AccountCard>
  );
};

const FormSkeleton = () => (
  <div className="grid gap-5">
    <FieldSkeleton />
    <FieldSkeleton />
    <Skeleton className="-mt-2 h-7.5" />
    <FieldSkeleton />
    <Skeleton className="h-11 md:h-9" />
  </div>
);

const FieldSkeleton = () => (
  <div className="grid gap-2">
    <Skeleton className="h-5 w-32" />
    <Skeleton className="h-11 md:h-9" />
  </div>
);

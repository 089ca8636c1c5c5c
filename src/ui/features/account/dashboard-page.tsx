import { LogOut, ShieldCheck } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import type { User } from "#contract/users.ts";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { askLogout } from "#ui/lib/logout-question.ts";
import { refreshSession, useSession } from "#ui/lib/session.ts";
import { useHydrated } from "#ui/lib/use-hydrated.ts";
import { AccountSection } from "./account-section.tsx";
import { LinkNotice } from "./link-notice.tsx";
import { ProfileAvatar } from "./profile-avatar.tsx";
import { signInMethod } from "./sign-in-method.ts";
import { dashboardTexts as texts } from "./texts.ts";

/** The signed-in user's page: who they are, how they sign in, the way out, and all that they can do to their account. */
export const DashboardPage = () => {
  const { user } = useSession();
  const isKnown = useHydrated() && user !== null;
  useEffect(() => {
    if (user === null) void refreshSession();
  }, [user]);
  return (
    <div className="mx-auto grid w-full max-w-[44rem] grid-cols-1 gap-6 px-4 py-10 sm:px-6 sm:py-14">
      <header>
        <h1 className="font-semibold text-2xl tracking-tight">{texts.title}</h1>
        <p className="mt-1 text-sm text-muted-foreground">{texts.lead}</p>
      </header>
      <LinkNotice />
      {isKnown ? <Profile user={user} /> : <ProfileSkeleton />}
      {isKnown && user.role === "admin" && <AdminPointer />}
      {isKnown && <AccountSection name={user.name} />}
    </div>
  );
};

const Profile = ({ user }: { user: User }) => (
  <Card aria-label={user.name}>
    <div className="flex flex-wrap items-center gap-5 p-5 sm:p-6">
      <ProfileAvatar name={user.name} email={user.email} />
      <div className="min-w-0 grow basis-40">
        <p className="wrap-anywhere font-semibold text-xl tracking-tight">{user.name}</p>
        <p className="wrap-anywhere text-sm text-muted-foreground">{user.email}</p>
      </div>
      <Button variant="outline" onClick={() => askLogout()} className="max-sm:w-full">
        <LogOut aria-hidden="true" />
        {texts.logout}
      </Button>
    </div>
    <dl className="grid divide-y divide-border border-border border-t sm:grid-cols-3 sm:divide-x sm:divide-y-0">
      <Fact name={texts.method}>{signInMethod(user)}</Fact>
      <Fact name={texts.role}>{texts.roles[user.role]}</Fact>
      <Fact name={texts.since}>
        <time dateTime={user.createdAt}>{longDate(user.createdAt)}</time>
      </Fact>
    </dl>
  </Card>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="px-5 py-3.5 sm:px-6">
    <dt className="text-muted-foreground text-[0.8125rem]">{name}</dt>
    <dd className="font-medium text-sm">{children}</dd>
  </div>
);

const longDate = (iso: string) =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "long" }).format(new Date(iso));

const AdminPointer = () => (
  <Card className="flex flex-wrap items-center gap-4 p-5 sm:p-6">
    <ShieldCheck aria-hidden="true" className="size-5 shrink-0 text-primary" />
    <div className="grow basis-52">
      <h2 className="font-medium text-sm">{texts.adminTitle}</h2>
      <p className="text-muted-foreground text-[0.8125rem]">{texts.adminText}</p>
    </div>
    <Link href="/admin" className={buttonVariants({ className: "max-sm:w-full" })}>
      {texts.adminLink}
    </Link>
  </Card>
);

const ProfileSkeleton = () => (
  <Card aria-busy="true" className="flex items-center gap-5 p-5 sm:p-6">
    <Skeleton className="size-20 rounded-full sm:size-24" />
    <div className="grid grow gap-2">
      <Skeleton className="h-6 w-40" />
      <Skeleton className="h-4 w-56 max-w-full" />
    </div>
  </Card>
);

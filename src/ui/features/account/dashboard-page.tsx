import { LogOut, ShieldCheck } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Link } from "wouter";
import type { User } from "#contract/users.ts";
import { dashboardCards } from "#plugins/own-pages.ts";
import { Boundary } from "#ui/components/boundary.tsx";
import { askLogout } from "#ui/components/logout-question.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { initials } from "#ui/components/user-avatar.tsx";
import { cn } from "#ui/lib/cn.ts";
import { longDate } from "#ui/lib/moments.ts";
import { refreshSession, useSession } from "#ui/lib/session.ts";
import { useHydrated } from "#ui/lib/use-load.ts";
import { accountPlaces, accountScreenTexts, dashboardTexts } from "./texts.ts";

/** Where signed-in users begin: who they are, the way out, and the ways to everything that is theirs. */
export const DashboardPage = () => {
  const { user } = useSession();
  const isKnown = useHydrated() && user !== null;
  useEffect(() => {
    if (user === null) void refreshSession();
  }, [user]);
  return (
    <div className="mx-auto grid w-full max-w-[44rem] grid-cols-1 gap-6 px-4 py-10 sm:px-6 sm:py-14">
      <header>
        <h1 className="font-semibold text-2xl tracking-tight">{dashboardTexts.title}</h1>
        <p className="mt-1 text-sm text-muted-foreground">{dashboardTexts.lead}</p>
      </header>
      {isKnown ? <Profile user={user} /> : <ProfileSkeleton />}
      {isKnown && user.role === "admin" && <AdminPointer />}
      {isKnown && ownCards}
      {isKnown && <Places />}
    </div>
  );
};

/** Cards of own features; one that fails leaves the others alone. */
const ownCards = dashboardCards.map(({ name, load }) => {
  const Card = lazy(async () => ({ default: await load() }));
  return (
    <Boundary key={name}>
      <Suspense fallback={null}>
        <Card />
      </Suspense>
    </Boundary>
  );
});

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
        {dashboardTexts.logout}
      </Button>
    </div>
    <dl className="grid divide-y divide-border border-border border-t sm:grid-cols-3 sm:divide-x sm:divide-y-0">
      <Fact name={dashboardTexts.method}>{signInMethod(user)}</Fact>
      <Fact name={dashboardTexts.role}>{dashboardTexts.roles[user.role]}</Fact>
      <Fact name={dashboardTexts.since}>
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

const AdminPointer = () => (
  <Card className="flex flex-wrap items-center gap-4 p-5 sm:p-6">
    <ShieldCheck aria-hidden="true" className="size-5 shrink-0 text-primary" />
    <div className="grow basis-52">
      <h2 className="font-medium text-sm">{dashboardTexts.adminTitle}</h2>
      <p className="text-muted-foreground text-[0.8125rem]">{dashboardTexts.adminText}</p>
    </div>
    <Link href="/admin" className={buttonVariants({ className: "max-sm:w-full" })}>
      {dashboardTexts.adminLink}
    </Link>
  </Card>
);

/** The ways to the pages of the account. */
const Places = () => (
  <nav aria-label={accountScreenTexts.settings}>
    <ul className="grid gap-3 sm:grid-cols-2">
      {accountPlaces.map(({ href, label, note }) => (
        <li key={href}>
          <Link
            href={href}
            className="grid h-full content-start gap-1 rounded-lg border border-border bg-card p-5 shadow-xs outline-none hover:border-foreground/30 focus-visible:ring-2 focus-visible:ring-ring"
          >
            <span className="font-medium text-sm">{label}</span>
            <span className="text-muted-foreground text-[0.8125rem]">{note}</span>
          </Link>
        </li>
      ))}
    </ul>
  </nav>
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

type ProfileAvatarProps = { name: string; email: string };

/** A user's picture from Gravatar above their initials, which stay when the picture does not come. */
const ProfileAvatar = ({ name, email }: ProfileAvatarProps) => {
  const [url, setUrl] = useState<string | null>(null);
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    setIsLoaded(false);
    void gravatarUrl(email).then((next) => {
      if (isCurrent) setUrl(next);
    });
    return () => {
      isCurrent = false;
    };
  }, [email]);
  return (
    <div className="relative grid size-20 shrink-0 place-items-center overflow-hidden rounded-full border border-border bg-primary/10 sm:size-24">
      <span aria-hidden="true" className="font-medium text-2xl text-primary">
        {initials(name)}
      </span>
      {url !== null && (
        <img
          src={url}
          alt={dashboardTexts.avatar}
          width={200}
          height={200}
          referrerPolicy="no-referrer"
          onLoad={() => setIsLoaded(true)}
          onError={() => setUrl(null)}
          className={cn(
            "absolute inset-0 size-full object-cover transition-opacity duration-200",
            !isLoaded && "opacity-0",
          )}
        />
      )}
    </div>
  );
};

const sizePx = 200;

/**
 * Address of the picture that belongs to an email address at Gravatar, a drawn pattern where there is none: the
 * SHA-256 of the trimmed, lower-case address. `null` where the browser offers no hashing
 * (pages served over plain http from another machine).
 */
export const gravatarUrl = async (email: string): Promise<string | null> => {
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) return null;
  const bytes = new TextEncoder().encode(email.trim().toLowerCase());
  const hash = new Uint8Array(await subtle.digest("SHA-256", bytes)).toHex();
  return `https://www.gravatar.com/avatar/${hash}?s=${sizePx}&d=identicon`;
};

/** How someone signs in: Google goes before GitHub, a password counts as Email. */
export const signInMethod = ({ googleId, githubId }: Pick<User, "googleId" | "githubId">) => {
  if (googleId !== null) return "Google";
  return githubId === null ? "Email" : "GitHub";
};

import { Plus } from "lucide-react";
import { lazy, Suspense, useCallback, useRef, useState } from "react";
import type { SignInProvider } from "#api/modules/providers/contract.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { KeepFocus } from "../list-parts.tsx";
import { providersTexts as texts } from "./providers-texts.ts";

const ProviderSheet = lazy(async () => ({ default: (await import("./provider-sheet.tsx")).ProviderSheet }));

/** The sign-in providers with their states, and the ways to add, change and remove one. */
export const ProvidersPanel = ({ onSaved }: { onSaved: () => void }) => {
  const load = useCallback(async () => (await client.providers.list()).data, []);
  const { data, error, isLoading, reload } = useLoad(load);
  const [opened, setOpened] = useState<SignInProvider | "new" | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  if (data === null && error === null)
    return (
      <div aria-busy="true" className="p-5">
        <span className="sr-only">{texts.loading}</span>
        <Skeleton className="h-24 w-full" />
      </div>
    );
  return (
    <>
      {error !== null && (
        <div className="p-5">
          <Alert
            severity="error"
            actions={
              <Button variant="outline" size="sm" onClick={reload}>
                {texts.tryAgain}
              </Button>
            }
          >
            {failureText(error, texts.loadFailed)}
          </Alert>
        </div>
      )}
      {data?.providers.length === 0 && (
        <div className="grid justify-items-center gap-1 px-6 py-10 text-center">
          <p className="font-medium text-sm">{texts.none}</p>
          <p className="max-w-sm text-[0.8125rem] text-muted-foreground">{texts.noneText}</p>
        </div>
      )}
      {data !== null && data.providers.length > 0 && (
        <KeepFocus of={data}>
          <ul aria-label={texts.list} aria-busy={isLoading} className="divide-y divide-border">
            {data.providers.map((provider) => (
              <ProviderRow
                key={`${provider.source} ${provider.id}`}
                provider={provider}
                onOpen={() => setOpened(provider)}
              />
            ))}
          </ul>
        </KeepFocus>
      )}
      {data !== null && (
        <div className="border-border border-t px-5 py-3">
          <Button ref={add} variant="outline" size="sm" onClick={() => setOpened("new")}>
            <Plus aria-hidden="true" />
            {texts.add}
          </Button>
        </div>
      )}
      {data !== null && opened !== null && (
        <Suspense fallback={null}>
          <ProviderSheet
            provider={opened === "new" ? null : opened}
            others={data.providers}
            redirectUri={data.redirectUri}
            onClose={() => setOpened(null)}
            onSaved={() => {
              setOpened(null);
              reload();
              onSaved();
            }}
          />
        </Suspense>
      )}
    </>
  );
};

const tones = { on: "success", off: "neutral", overruled: "warning", unreadable: "danger" } as const;

type ProviderRowProps = { provider: SignInProvider; onOpen: () => void };

const ProviderRow = ({ provider, onOpen }: ProviderRowProps) => {
  const { id, state, lockedBy, settings, users, usersElsewhere } = provider;
  const isLocked = lockedBy !== null;
  const notes = [
    isLocked ? texts.locked(lockedBy) : texts.stateTexts[state],
    usersElsewhere > 0 && texts.elsewhere(usersElsewhere),
  ].filter((note) => typeof note === "string");
  return (
    <li className="flex items-start justify-between gap-4 px-5 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
          <span className="wrap-anywhere">{settings.label}</span>
          <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        </p>
        <p className="wrap-anywhere text-[0.8125rem] text-muted-foreground">
          {id} · {settings.issuer} · {texts.users(users)}
        </p>
        {notes.map((note) => (
          <p key={note} className="text-[0.8125rem] text-muted-foreground">
            {note}
          </p>
        ))}
      </div>
      <Button
        variant="outline"
        size="sm"
        aria-label={isLocked ? texts.view(settings.label) : texts.edit(settings.label)}
        onClick={onOpen}
      >
        {isLocked ? texts.viewShort : texts.editShort}
      </Button>
    </li>
  );
};

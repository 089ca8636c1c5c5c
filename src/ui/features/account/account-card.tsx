import { type ReactNode, useId } from "react";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { cn } from "#ui/lib/cn.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { accountScreenTexts as texts } from "./texts.ts";

type AccountCardProps = { title: string; lead: ReactNode; isDanger?: boolean; children: ReactNode };

/** One matter of the account: its name, a sentence about it, and what can be done. */
export const AccountCard = ({ title, lead, isDanger = false, children }: AccountCardProps) => {
  const id = useId();
  return (
    <Card aria-labelledby={id} className={cn("grid gap-5 p-5 sm:p-6", isDanger && "border-destructive/40")}>
      <div className="grid gap-1">
        <h2 id={id} className="font-semibold text-base tracking-tight">
          {title}
        </h2>
        <p className="text-muted-foreground text-sm">{lead}</p>
      </div>
      {children}
    </Card>
  );
};

type LoadedPartProps<T> = {
  loaded: { data: T | null; error: unknown; reload: () => void };
  /** In the shape of what comes. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
};

/** What a card shows of data from the server: its shape while it comes, the data, or why it did not and another try. */
export const LoadedPart = <T,>({ loaded, skeleton, children }: LoadedPartProps<T>) => {
  const { data, error, reload } = loaded;
  if (data !== null) return children(data);
  if (error === null) return <div aria-busy="true">{skeleton}</div>;
  return (
    <Alert
      severity="error"
      title={texts.loadFailed}
      actions={
        <Button variant="outline" size="sm" onClick={reload}>
          {texts.tryAgain}
        </Button>
      }
    >
      {failureText(error, texts.loadFailedText)}
    </Alert>
  );
};

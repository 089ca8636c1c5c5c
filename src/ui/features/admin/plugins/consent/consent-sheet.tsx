import type { ReactNode } from "react";
import type { Permission, PluginSignature, PublisherChange } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { failureText } from "#ui/lib/failure-text.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { OriginNote } from "./origin-note.tsx";
import { PermissionList } from "./permission-list.tsx";
import { consentTexts as texts } from "./permission-texts.ts";

type ConsentSheetProps = {
  title: string;
  lead: string;
  permissions: readonly Permission[];
  signature: PluginSignature;
  /** Who signed the plugin until now, where that was somebody else. */
  publisherChanged?: PublisherChange | null;
  /** What the button that allows it all says. */
  action: string;
  /** Said of a failure that brings no words of its own. */
  fallback: string;
  /** Does it; what it throws is shown, to be tried again. */
  onAllow: () => Promise<void>;
  onClose: () => void;
  /** More to say below the list. */
  children?: ReactNode;
  /** A third way, beside allowing and not now. */
  otherAction?: ReactNode;
};

/** Asks whether a plugin may do what it asks for: who made it, each permission in plain words, and the two answers. */
export const ConsentSheet = (props: ConsentSheetProps) => {
  const { title, lead, permissions, signature, action, fallback, onAllow, onClose } = props;
  const { act, isBusy, error } = useAct(onAllow);
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={title}
      description={lead}
      actions={
        <>
          {props.otherAction}
          <span className="ml-auto flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
            <Button variant="outline" onClick={onClose}>
              {texts.notNow}
            </Button>
            <Button isBusy={isBusy} onClick={act}>
              {action}
            </Button>
          </span>
        </>
      }
    >
      <div className="grid gap-5">
        {error !== null && <Alert severity="error">{failureText(error, fallback)}</Alert>}
        {permissions.length > 0 && <PermissionList permissions={permissions} />}
        <OriginNote signature={signature} changed={props.publisherChanged} />
        {props.children}
        <p className="text-pretty text-[0.8125rem] text-muted-foreground">{texts.allowed}</p>
      </div>
    </Sheet>
  );
};

import { Copy, Download, Printer } from "lucide-react";
import { type ReactNode, useState } from "react";
import { copyText } from "#ui/lib/copy-text.ts";
import { useSession } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { SecretQuestion } from "./confirm-dialog.tsx";
import { saveFile } from "./download-link.tsx";
import { Button } from "./ui/button.tsx";
import { Checkbox } from "./ui/checkbox.tsx";
import { Dialog } from "./ui/dialog.tsx";

type RecoveryCodesProps = {
  codes: readonly string[];
  /** The buttons at the end, once told whether the reader has stored the codes. */
  actions: (isStored: boolean) => ReactNode;
};

/** New recovery codes, this once: to be copied, downloaded or printed. */
export const RecoveryCodes = ({ codes, actions }: RecoveryCodesProps) => {
  const [isStored, setIsStored] = useState(false);
  const { user } = useSession();
  const heading = texts.codesOf(user?.email ?? "", useSite().name, location.host);
  const text = codes.join("\n");
  const download = () =>
    saveFile(texts.codesFile, new Blob([`${heading}\n\n${text}\n`], { type: "text/plain" }));
  return (
    <div className="grid gap-5">
      <p className="hidden text-sm print:block">{heading}</p>
      <ul
        aria-label={texts.codes}
        className="grid justify-center gap-x-8 gap-y-1.5 rounded-md border border-border bg-muted px-3.5 py-3 font-mono text-[0.8125rem] sm:grid-cols-[auto_auto]"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 print:hidden">
        {/* The first thing to do, by the keyboard too. */}
        <Button variant="outline" size="sm" autoFocus onClick={() => void copyText(text)}>
          <Copy aria-hidden="true" />
          {texts.copy}
        </Button>
        <Button variant="outline" size="sm" onClick={download}>
          <Download aria-hidden="true" />
          {texts.download}
        </Button>
        <Button variant="outline" size="sm" onClick={() => window.print()}>
          <Printer aria-hidden="true" />
          {texts.print}
        </Button>
      </div>
      <div className="grid gap-5 print:hidden">
        <Checkbox
          label={texts.stored}
          checked={isStored}
          onChange={({ target }) => setIsStored(target.checked)}
        />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{actions(isStored)}</div>
      </div>
    </div>
  );
};

type NewCodesDialogProps = { codes: readonly string[]; onClose: () => void };

/** Recovery codes that have replaced the old ones already: users who leave without storing them are asked. */
export const NewCodesDialog = ({ codes, onClose }: NewCodesDialogProps) => {
  const [isClosing, setIsClosing] = useState(false);

  return (
    <Dialog
      open
      onOpenChange={() => setIsClosing(true)}
      title={texts.newCodesTitle}
      description={texts.codesLead}
    >
      <RecoveryCodes
        codes={codes}
        actions={(isStored) => (
          <Button disabled={!isStored} onClick={onClose}>
            {texts.done}
          </Button>
        )}
      />
      <SecretQuestion
        isClosing={isClosing}
        onStay={() => setIsClosing(false)}
        onLeave={onClose}
        title={texts.leaveTitle}
        question={texts.leaveQuestion}
        action={texts.leave}
      />
    </Dialog>
  );
};

/** Words of what shows recovery codes. */
export const recoveryCodesTexts = {
  copy: "Copy",
  download: "Download",
  print: "Print",
  done: "Done",
  codes: "Recovery codes",
  codesLead:
    "If you lose your phone, each of these codes signs you in once. They are shown only now: store them somewhere safe, away from your phone.",
  codesOf: (email: string, site: string, host: string) => `Recovery codes for ${email} at ${site} (${host})`,
  codesFile: "recovery-codes.txt",
  stored: "I have stored these codes",
  newCodesTitle: "Your new recovery codes",
  leaveTitle: "Close without storing the codes?",
  leaveQuestion: "These codes are never shown again, and any older ones no longer work.",
  leave: "Close anyway",
} as const;

const texts = recoveryCodesTexts;

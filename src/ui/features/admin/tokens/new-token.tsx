import { useEffect, useRef, useState } from "react";
import type { NewApiToken } from "#api/modules/tokens/contract.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { useLeaveGuard } from "#ui/lib/use-leave-guard.ts";
import { Copyable } from "../copyable.tsx";
import { SheetPart } from "../sheet-part.tsx";
import { exampleCall } from "./example-call.ts";
import { newTokenTexts as texts } from "./texts.ts";

type NewTokenProps = { made: NewApiToken; onClose: () => void };

/** A token that was just made, this once: whoever goes without saying that they have it is asked. */
export const NewToken = ({ made, onClose }: NewTokenProps) => {
  const [isClosing, setIsClosing] = useState(false);
  const guard = useLeaveGuard(true);
  const box = useRef<HTMLDivElement>(null);
  // Copying is what is to be done first, by the keyboard too.
  useEffect(() => box.current?.querySelector("button")?.focus(), []);
  return (
    <Sheet
      open
      onOpenChange={() => setIsClosing(true)}
      title={texts.title}
      description={texts.lead}
      actions={<Button onClick={onClose}>{texts.done}</Button>}
    >
      <div className="grid gap-6">
        <div ref={box} className="rounded-md border border-border bg-muted px-3.5 py-3">
          <Copyable isCode name={texts.token} text={made.token} />
        </div>
        <SheetPart title={texts.use}>
          <Copyable isCode name={texts.command} text={exampleCall()} />
        </SheetPart>
      </div>
      <ConfirmDialog
        open={isClosing || guard.isAsking}
        onClose={() => {
          setIsClosing(false);
          guard.stay();
        }}
        title={texts.leaveTitle}
        question={texts.leaveText}
        action={texts.leave}
        fallback={texts.leave}
        onConfirm={async () => {
          guard.leave();
          onClose();
        }}
      />
    </Sheet>
  );
};

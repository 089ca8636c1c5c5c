import { useEffect, useRef } from "react";
import { Button } from "#ui/components/ui/button.tsx";
import { uploadTexts as texts } from "./texts.ts";

type SendingStepProps = { sent: number; isInstalling: boolean; onCancel: () => void };

/** How much of the package has been sent, and that the server is at work on it after that. */
export const SendingStep = ({ sent, isInstalling, onCancel }: SendingStepProps) => {
  const cancel = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone.
  useEffect(() => cancel.current?.focus(), []);
  const isSent = sent >= 1;
  const atWork = isInstalling ? texts.installing : texts.checking;
  const words = isSent ? atWork : texts.sending(percent(sent));
  return (
    <div className="grid gap-5">
      <div className="grid gap-2">
        <p role="status" className="text-sm">
          {isSent ? words : <span aria-hidden="true">{words}</span>}
        </p>
        {/* Without a value it is under way for an unknown time. */}
        <progress
          aria-label={isInstalling ? texts.installing : texts.title}
          className="h-2 w-full accent-primary"
          {...(isSent ? {} : { value: sent })}
        />
      </div>
      <Button variant="outline" ref={cancel} onClick={onCancel} className="justify-self-end max-sm:w-full">
        {texts.cancel}
      </Button>
    </div>
  );
};

const percent = (part: number, locale?: string) =>
  new Intl.NumberFormat(locale, { style: "percent" }).format(part);

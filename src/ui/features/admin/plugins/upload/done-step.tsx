import { useEffect, useRef } from "react";
import type { Plugin } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { uploadTexts as texts } from "./texts.ts";

type DoneStepProps = {
  plugin: Plugin;
  /** Of the package that was uploaded. */
  version: string;
  /** The server's words. */
  message: string;
  onEnable: (plugin: Plugin) => void;
  onReview: (plugin: Plugin) => void;
  onClose: () => void;
};

/** What became of the package, and what is usually done next. */
export const DoneStep = ({ plugin, version, message, onEnable, onReview, onClose }: DoneStepProps) => {
  const isWaiting = plugin.pendingVersion === version;
  const isOff = !isWaiting && !plugin.enabled;
  const close = useRef<HTMLButtonElement>(null);
  // The button that was pressed is gone.
  useEffect(() => close.current?.focus(), []);
  const next = (act: (plugin: Plugin) => void) => () => {
    onClose();
    act(plugin);
  };
  return (
    <div className="grid gap-5">
      <Alert severity={isWaiting ? "warning" : "success"} title={message}>
        {isOff && texts.isOff}
      </Alert>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button ref={close} variant="outline" onClick={onClose}>
          {texts.close}
        </Button>
        {isWaiting && <Button onClick={next(onReview)}>{texts.review}</Button>}
        {isOff && <Button onClick={next(onEnable)}>{texts.enable}</Button>}
      </div>
    </div>
  );
};

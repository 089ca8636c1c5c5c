import { CircleAlert, CircleCheck, CircleMinus, TriangleAlert } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import type { TestResult, TestStep } from "#contract/settings.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { cn } from "#ui/lib/cn.ts";
import { copyText } from "#ui/lib/copy-text.ts";
import { formatMs } from "../format.ts";

import { testTexts as texts } from "./texts.ts";

/** What the dialog shows, and what can be done in it. */
export type TestDialogProps = {
  result: TestResult;
  /** Whether the test runs again. */
  isBusy: boolean;
  /** Takes the focus when the dialog is closed. */
  returnFocusTo: RefObject<HTMLElement | null>;
  onRetry: () => void;
  onClose: () => void;
};

/** What a connection test found, step by step, with what to do where something is wrong. */
export const TestDialog = ({ result, isBusy, returnFocusTo, onRetry, onClose }: TestDialogProps) => {
  const close = useRef<HTMLButtonElement>(null);
  // Where reading ends, not at the first button; and without scrolling to it past what is to be read.
  useEffect(() => close.current?.focus({ preventScroll: true }), []);
  return (
    <Dialog
      open
      returnFocusTo={returnFocusTo}
      onOpenChange={onClose}
      title={result.title}
      actions={
        <>
          <Button variant="outline" onClick={() => void copyText(testResultText(result))}>
            {texts.copy}
          </Button>
          <Button variant="outline" aria-disabled={isBusy} aria-busy={isBusy} onClick={onRetry}>
            {isBusy && <Spinner />}
            {texts.again}
          </Button>
          <Button ref={close} onClick={onClose}>
            {texts.close}
          </Button>
        </>
      }
    >
      <div
        aria-busy={isBusy}
        className={cn("grid gap-4", isBusy && "opacity-60 transition-opacity delay-200")}
      >
        <Alert severity={result.severity}>
          <p>{result.message}</p>
          {result.details !== "" && <p className="mt-1 text-muted-foreground">{result.details}</p>}
        </Alert>
        {result.testResults.length > 0 && (
          <ol aria-label={texts.steps} className="divide-y divide-border rounded-md border border-border">
            {result.testResults.map((step) => (
              <Step key={step.name} step={step} />
            ))}
          </ol>
        )}
      </div>
    </Dialog>
  );
};

const Step = ({ step: { name, status, message, remedy, durationMs } }: { step: TestStep }) => {
  const { Icon, tint } = looks[status];
  return (
    <li className="flex gap-2 px-3 py-2.5 text-sm sm:gap-2.5 sm:px-3.5">
      <Icon aria-hidden="true" className={cn("mt-0.5 size-4 shrink-0", tint)} />
      <div className="grid min-w-0 grow gap-0.5">
        <p className="flex items-baseline justify-between gap-3">
          <span className="wrap-anywhere font-medium">
            {name}
            <span className="sr-only">: {texts.statuses[status]}</span>
          </span>
          {durationMs !== undefined && (
            <span className="shrink-0 text-muted-foreground text-xs tabular-nums">
              {formatMs(durationMs)}
            </span>
          )}
        </p>
        <p className="wrap-anywhere text-[0.8125rem] text-muted-foreground">{message}</p>
        {remedy !== undefined && <p className="wrap-anywhere text-[0.8125rem]">{remedy}</p>}
      </div>
    </li>
  );
};

const looks = {
  passed: { Icon: CircleCheck, tint: "text-success" },
  warning: { Icon: TriangleAlert, tint: "text-warning" },
  failed: { Icon: CircleAlert, tint: "text-destructive" },
  skipped: { Icon: CircleMinus, tint: "text-muted-foreground" },
} as const;

/** A test's findings as plain text, to be pasted into a message. */
export const testResultText = ({ title, message, details, testResults }: TestResult): string =>
  [
    title,
    message,
    ...(details === "" ? [] : [details]),
    ...testResults.flatMap((step) => [
      `[${step.status}] ${step.name}${step.durationMs === undefined ? "" : ` (${step.durationMs} ms)`}: ${step.message}`,
      ...(step.remedy === undefined ? [] : [`  ${step.remedy}`]),
    ]),
  ].join("\n");

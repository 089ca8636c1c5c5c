import { Zap } from "lucide-react";
import { type ComponentType, useRef, useState } from "react";
import type { FieldError } from "#contract/errors.ts";
import { pageSettingsTexts, type TestResult } from "#contract/settings.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { ApiError } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import type { TestKind } from "./api.ts";
import type { TestDialogProps } from "./test-dialog.tsx";
import { testTexts, testTexts as texts } from "./texts.ts";

type ConnectionTestProps = {
  kind: TestKind;
  /** Whether everything that is needed is there and valid. */
  isReady: boolean;
  /** Tries the form's values when the button is pressed; a test that did not work is a failure like any other. */
  test: () => Promise<{ data: { testResult: TestResult } }>;
  /** Called with the server's complaints about fields. */
  onRefused?: (errors: readonly FieldError[]) => void;
  onTested?: () => void;
};

type Shown = { result: TestResult; Dialog: ComponentType<TestDialogProps> };

const loadDialog = async () => (await import("./test-dialog.tsx")).TestDialog;

/** The button that tries something for real, with its progress, and the dialog with what came of it. */
export const ConnectionTest = ({ kind, isReady, test, onRefused, onTested }: ConnectionTestProps) => {
  const [isBusy, setIsBusy] = useState(false);
  const [shown, setShown] = useState<Shown | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isOff = !isReady || isBusy;

  const tried = async (): Promise<TestResult> => {
    try {
      return (await test()).data.testResult;
    } catch (error) {
      if (error instanceof ApiError && error.errors.length > 0) onRefused?.(error.errors);
      return failedTest(kind, error);
    }
  };

  const run = async () => {
    if (isBusy) return;
    setIsBusy(true);
    try {
      const [result, Dialog] = await Promise.all([tried(), loadDialog()]);
      setShown({ result, Dialog });
    } catch (error) {
      console.warn("the dialog's code could not be had", error);
      notify({ tone: "error", message: texts.dialogFailed });
    } finally {
      setIsBusy(false);
      onTested?.();
    }
  };

  return (
    <>
      <Button
        variant="outline"
        size="sm"
        ref={button}
        // Never disabled: it could not take the focus back when the dialog closes, as a refusal of its fields is shown.
        aria-disabled={isOff}
        aria-busy={isBusy}
        onPointerEnter={() => void loadDialog().catch(() => {})}
        onClick={() => !isOff && void run()}
      >
        {isBusy ? <Spinner /> : <Zap aria-hidden="true" />}
        {texts[kind].button}
      </Button>
      {!isReady && kind !== "rate-limit" && (
        <p className="text-[0.8125rem] text-muted-foreground">{texts.needed}</p>
      )}
      {shown !== null && (
        <shown.Dialog
          result={shown.result}
          isBusy={isBusy}
          returnFocusTo={button}
          onRetry={() => void run()}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
};

/** What to show of a test that did not work: the server's findings, or why there are none. */
export const failedTest = (kind: TestKind, error: unknown): TestResult => {
  const found = error instanceof ApiError ? resultIn(error.data) : null;
  return (
    found ?? {
      title: titles[kind],
      message: messageOf(kind, error),
      severity: "error",
      details: "",
      testResults: [],
    }
  );
};

const titles = {
  redis: pageSettingsTexts.redisFails,
  r2: pageSettingsTexts.r2Fails,
  "rate-limit": pageSettingsTexts.limiterFails,
  mail: pageSettingsTexts.mailFails,
  provider: pageSettingsTexts.providerFails,
} as const;

const messageOf = (kind: TestKind, error: unknown): string => {
  const hasWords = error instanceof ApiError && error.status > 0 && error.code !== "UNKNOWN";
  return hasWords ? error.message : pageSettingsTexts.testUnreachable(testTexts[kind].subject);
};

/** The server checks its answers against their published shape, so what names a title and steps has all of it. */
const resultIn = (data: unknown): TestResult | null => {
  const result = isRecord(data) ? data.testResult : null;
  return isTestResult(result) ? result : null;
};

const isTestResult = (value: unknown): value is TestResult =>
  isRecord(value) && typeof value.title === "string" && Array.isArray(value.testResults);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

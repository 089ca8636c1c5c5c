import { type ComponentType, type ReactNode, useCallback } from "react";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { useLoad } from "#ui/lib/use-load.ts";
import { partTexts } from "./texts.ts";

type LazyPartProps<Props extends object> = {
  /** Fetches the part's code; the same function each time. */
  code: () => Promise<ComponentType<Props>>;
  props: Props;
  /** Shown in its place meanwhile. */
  fallback: ReactNode;
};

/** A part of the page whose code comes later, and can be asked for again where it did not; the rest of the page stays. */
export const LazyPart = <Props extends object>({ code, props, fallback }: LazyPartProps<Props>) => {
  // In an object of its own: a component is a function, which state would call.
  const load = useCallback(async () => ({ Part: await code() }), [code]);
  const { data, error, reload } = useLoad(load);
  if (data !== null) return <data.Part {...props} />;
  if (error === null) return fallback;
  return (
    <Alert
      severity="error"
      actions={
        <Button variant="outline" size="sm" onClick={reload}>
          {partTexts.tryAgain}
        </Button>
      }
    >
      {partTexts.failed}
    </Alert>
  );
};

import { Alert } from "#ui/components/ui/alert.tsx";
import { useLoad } from "#ui/lib/use-load.ts";
import { getSafeMode } from "./api.ts";
import { safeModeTexts as texts } from "./texts.ts";

// It changes with a start of the server alone.
const restingMs = 60_000;

/** Says that no plugin runs, on a server that was started in safe mode. */
export const SafeModeBanner = () => {
  const { data: isSafeMode } = useLoad(getSafeMode, restingMs);
  return isSafeMode === true ? <SafeModeAlert /> : null;
};

/** What it says. */
export const SafeModeAlert = () => (
  <Alert severity="warning" title={texts.title}>
    {texts.text}
  </Alert>
);

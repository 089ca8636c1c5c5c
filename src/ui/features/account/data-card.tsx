import { Download } from "lucide-react";
import { Link } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { failureText } from "#ui/lib/failure-text.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { AccountCard } from "./account-card.tsx";
import { exportData } from "./api.ts";
import { saveFile } from "./save-file.ts";
import { accountScreenTexts as texts } from "./texts.ts";

/** Downloads what the server keeps with the reader's account, and says what is not in it and whom to ask. */
export const DataCard = () => {
  const { act, isBusy, error } = useAct(async () => {
    const text = JSON.stringify(await exportData(), null, 2);
    saveFile({ name: texts.dataFile, type: "application/json", text });
  });
  return (
    <AccountCard title={texts.data} lead={texts.dataLead}>
      {error !== null && <Alert severity="error">{failureText(error, texts.dataFailed)}</Alert>}
      <p className="text-sm">
        {texts.dataLess}{" "}
        <Link href="/contact" className="underline underline-offset-4">
          {texts.dataAsk}
        </Link>
        .
      </p>
      <Button variant="outline" isBusy={isBusy} onClick={act} className="sm:justify-self-start">
        <Download aria-hidden="true" />
        {texts.download}
      </Button>
    </AccountCard>
  );
};

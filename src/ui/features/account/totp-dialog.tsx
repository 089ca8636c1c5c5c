import { Copy } from "lucide-react";
import { type RefObject, useState } from "react";
import type { TotpSetup } from "#api/modules/second-factors/contract.ts";
import { CodeField, codeComplaint } from "#ui/components/code-field.tsx";
import { copyText, RecoveryCodes, recoveryCodesTexts } from "#ui/components/recovery-codes.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { factorScreenTexts as texts } from "./texts.ts";

type TotpDialogProps = {
  setup: TotpSetup;
  returnFocusTo: RefObject<HTMLElement | null>;
  onClose: () => void;
  /** Called once the app is enabled, before `onClose`. */
  onEnabled: () => void;
};

/** Sets an authenticator app up: first its key and a code, then the recovery codes. Nothing is on before the end. */
export const TotpDialog = ({ setup, returnFocusTo, onClose, onEnabled }: TotpDialogProps) => {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const cancel = () => {
    if (codes !== null) notify({ tone: "info", message: texts.notTurnedOn });
    onClose();
  };
  const enable = async () => {
    const { message } = await client.secondFactors.enableTotp();
    notify({ tone: "success", message });
    onEnabled();
    onClose();
  };
  const isFirst = codes === null;
  return (
    <Dialog
      open
      onOpenChange={cancel}
      title={isFirst ? texts.setUpTitle : texts.storeTitle}
      description={isFirst ? texts.setUpLead : recoveryCodesTexts.codesLead}
      returnFocusTo={returnFocusTo}
    >
      {isFirst ? (
        <AppStep setup={setup} onCancel={cancel} onVerified={setCodes} />
      ) : (
        <CodesStep codes={codes} onCancel={cancel} onEnable={enable} />
      )}
    </Dialog>
  );
};

type AppStepProps = {
  setup: TotpSetup;
  onCancel: () => void;
  onVerified: (recoveryCodes: readonly string[]) => void;
};

const AppStep = ({ setup: { secret, qr }, onCancel, onVerified }: AppStepProps) => {
  const { formProps, errors, problem, isBusy } = useForm({
    rules: { code: codeComplaint },
    send: async ({ code }) =>
      onVerified((await client.secondFactors.verifyTotp({ code })).data.recoveryCodes),
    explain: (error) => failureText(error, texts.setUpFailed),
  });
  return (
    <form {...formProps}>
      <fieldset disabled={isBusy} className="grid gap-5">
        <QrCode {...qr} />
        <div className="grid gap-1.5">
          <p className="font-medium text-sm">{texts.key}</p>
          <div className="flex items-center gap-3 rounded-md border border-border bg-muted py-1.5 pr-1.5 pl-3.5">
            <code className="min-w-0 grow text-balance text-[0.8125rem]">{secret}</code>
            <Button
              variant="outline"
              size="sm"
              aria-label={texts.copyKey}
              onClick={() => void copyText(secret.replaceAll(" ", ""))}
            >
              <Copy aria-hidden="true" />
              {recoveryCodesTexts.copy}
            </Button>
          </div>
        </div>
        {problem !== null && <Alert severity="error">{problem.message}</Alert>}
        <CodeField error={errors.code} />
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button variant="outline" onClick={onCancel}>
            {texts.cancel}
          </Button>
          <Button type="submit" isBusy={isBusy}>
            {texts.continue}
          </Button>
        </div>
      </fieldset>
    </form>
  );
};

/** Dark on light in both themes, as cameras expect; attributes alone, which the content policy allows. */
const QrCode = ({ size, path }: TotpSetup["qr"]) => (
  <svg
    role="img"
    aria-label={texts.qr}
    viewBox={`0 0 ${size} ${size}`}
    width="208"
    height="208"
    shapeRendering="crispEdges"
    className="justify-self-center rounded-md border border-border"
  >
    <rect width={size} height={size} fill="#fff" />
    <path d={path} fill="#000" />
  </svg>
);

type CodesStepProps = { codes: readonly string[]; onCancel: () => void; onEnable: () => Promise<void> };

const CodesStep = ({ codes, onCancel, onEnable }: CodesStepProps) => {
  const { act, isBusy, error } = useAct(onEnable);
  return (
    <>
      {error !== null && <Alert severity="error">{failureText(error, texts.setUpFailed)}</Alert>}
      <RecoveryCodes
        codes={codes}
        actions={(isStored) => (
          <>
            <Button variant="outline" onClick={onCancel}>
              {texts.cancel}
            </Button>
            <Button disabled={!isStored} isBusy={isBusy} onClick={act}>
              {texts.turnOn}
            </Button>
          </>
        )}
      />
    </>
  );
};

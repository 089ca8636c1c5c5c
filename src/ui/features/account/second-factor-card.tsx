import { Copy, LifeBuoy, Smartphone } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { OwnSecondFactors, TotpSetup } from "#api/modules/second-factors/contract.ts";
import { CodeField, codeComplaint } from "#ui/components/code-field.tsx";
import { ConfirmDialog, RequestButton } from "#ui/components/confirm-dialog.tsx";
import { Form, FormButtons } from "#ui/components/form.tsx";
import { NewCodesDialog, RecoveryCodes, recoveryCodesTexts } from "#ui/components/recovery-codes.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { useForm } from "#ui/components/ui/use-form.ts";
import { client, failureText } from "#ui/lib/api.ts";
import { copyText } from "#ui/lib/copy-text.ts";
import { longDate } from "#ui/lib/moments.ts";
import { notify } from "#ui/lib/notices.ts";
import { factorCardId } from "#ui/lib/session.ts";
import { useAct } from "#ui/lib/use-act.ts";
import type { Loaded } from "#ui/lib/use-load.ts";
import { AccountCard, LoadedPart, MethodRow, RowsSkeleton } from "./account-card.tsx";
import { factorScreenTexts as texts } from "./texts.ts";

/** The second factor of sign-ins: how it stands, and how to turn it on and off. */
export const SecondFactorCard = ({ factors }: { factors: Loaded<OwnSecondFactors> }) => {
  const isLoaded = factors.data !== null;
  useEffect(() => {
    // The browser looked for it before it was there.
    if (isLoaded && location.hash === `#${factorCardId}`)
      document.getElementById(factorCardId)?.scrollIntoView();
  }, [isLoaded]);
  if (factors.data?.isOffered === false) return null;
  return (
    <AccountCard id={factorCardId} title={texts.title} lead={texts.lead}>
      <LoadedPart loaded={factors} skeleton={<RowsSkeleton lines={["w-40", "w-52"]} />}>
        {(data) => <Rows factors={data} onChange={factors.reload} />}
      </LoadedPart>
    </AccountCard>
  );
};

type RowsProps = { factors: OwnSecondFactors; onChange: () => void };

const Rows = ({ factors, onChange }: RowsProps) => {
  const { totp, passkeys, recoveryCodesLeft } = factors;
  const isOn = totp !== null;
  const list = useRef<HTMLUListElement>(null);
  const wasOn = useRef(isOn);
  // The button that was pressed goes with the change: the list takes the focus instead.
  useEffect(() => {
    if (wasOn.current !== isOn && document.activeElement === document.body) list.current?.focus();
    wasOn.current = isOn;
  }, [isOn]);
  return (
    <div className="grid gap-4">
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={texts.title}
        className="divide-y divide-border rounded-md border border-border"
      >
        <MethodRow
          icon={<Smartphone aria-hidden="true" />}
          name={texts.app}
          detail={totp === null ? texts.appOff : texts.appOn(longDate(totp.enabledAt))}
          state={<Badge tone={isOn ? "success" : "neutral"}>{isOn ? texts.on : texts.off}</Badge>}
          action={isOn && <TurnOff hasPasskeys={passkeys > 0} onDone={onChange} />}
        >
          {!isOn && <SetUp onDone={onChange} />}
        </MethodRow>
        {(isOn || passkeys > 0) && (
          <MethodRow
            icon={<LifeBuoy aria-hidden="true" />}
            name={recoveryCodesTexts.codes}
            detail={texts.codesDetail(recoveryCodesLeft)}
            state={null}
            action={<NewCodes onDone={onChange} />}
          >
            {recoveryCodesLeft <= fewCodes && (
              <Alert severity="warning">{texts.fewCodes(recoveryCodesLeft)}</Alert>
            )}
          </MethodRow>
        )}
      </ul>
    </div>
  );
};

/** From so many on down, the reader is warned. */
const fewCodes = 3;

const SetUp = ({ onDone }: { onDone: () => void }) => {
  const button = useRef<HTMLButtonElement>(null);
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const { act, isBusy, error } = useAct(async () => setSetup((await client.secondFactors.beginTotp()).data));
  return (
    <>
      {error !== null && <Alert severity="error">{failureText(error, texts.setUpFailed)}</Alert>}
      <Button ref={button} isBusy={isBusy} onClick={act} className="sm:justify-self-start">
        {texts.setUp}
      </Button>
      {setup !== null && (
        <TotpDialog setup={setup} returnFocusTo={button} onClose={() => setSetup(null)} onEnabled={onDone} />
      )}
    </>
  );
};

const TurnOff = ({ hasPasskeys, onDone }: { hasPasskeys: boolean; onDone: () => void }) => (
  <RequestButton
    variant="outline"
    size="sm"
    className="max-sm:w-full"
    asks={{
      title: hasPasskeys ? texts.removeAppTitle : texts.turnOffTitle,
      question: hasPasskeys ? texts.removeAppQuestion : texts.turnOffQuestion,
      action: texts.turnOff,
      fallback: texts.turnOffFailed,
      send: () => client.secondFactors.removeTotp(),
      onDone,
    }}
  >
    {texts.turnOff}
  </RequestButton>
);

const NewCodes = ({ onDone }: { onDone: () => void }) => {
  const [isAsked, setIsAsked] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const confirm = async () => {
    const { data } = await client.secondFactors.renewRecoveryCodes();
    setIsAsked(false);
    setCodes(data.recoveryCodes);
    onDone();
  };
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setIsAsked(true)} className="max-sm:w-full">
        {texts.newCodes}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setIsAsked(false)}
        title={texts.replaceTitle}
        question={texts.replaceQuestion}
        action={texts.replace}
        fallback={texts.replaceFailed}
        onConfirm={confirm}
      />
      {codes !== null && <NewCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </>
  );
};

type TotpDialogProps = {
  setup: TotpSetup;
  returnFocusTo: RefObject<HTMLElement | null>;
  onClose: () => void;
  /** Called once the app is enabled, before `onClose`. */
  onEnabled: () => void;
};

/** Sets an authenticator app up: first its key and a code, then the recovery codes. Nothing is on before the end. */
const TotpDialog = ({ setup, returnFocusTo, onClose, onEnabled }: TotpDialogProps) => {
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
  const { errors, ...form } = useForm({
    rules: { code: codeComplaint },
    send: async ({ code }) =>
      onVerified((await client.secondFactors.verifyTotp({ code })).data.recoveryCodes),
    explain: (error) => failureText(error, texts.setUpFailed),
  });
  return (
    <>
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
      <Form form={form}>
        <CodeField error={errors.code} />
        <FormButtons onCancel={onCancel} action={texts.continue} isBusy={form.isBusy} />
      </Form>
    </>
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

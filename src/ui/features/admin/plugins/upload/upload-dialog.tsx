import { Upload } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import type { PackagePreview, Plugin } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { ApiError, failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { Fact, SheetPart } from "../../facts.tsx";
import { OriginNote, PermissionList } from "../consent/permission-list.tsx";
import { megabytes, uploadTexts as texts, useUpload } from "./use-upload.ts";

type UploadDialogProps = {
  /** What was dropped on the page. */
  file: File | null;
  onClose: () => void;
  onChange: () => void;
  onEnable: (plugin: Plugin) => void;
  onReview: (plugin: Plugin) => void;
};

/** A package on its way in: chosen, looked into, installed. Anyone who leaves in between leaves nothing behind. */
export const UploadDialog = ({ file, onClose, onChange, onEnable, onReview }: UploadDialogProps) => {
  const upload = useUpload(file, onChange);
  const { step } = upload;
  const isPreview = step.name === "preview";
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isPreview ? step.preview.title : texts.title}
      description={isPreview ? step.preview.description : texts.lead}
    >
      {step.name === "choose" && (
        <ChooseStep
          file={upload.file}
          complaint={step.complaint}
          error={step.error}
          onChoose={upload.choose}
          onUpload={upload.inspect}
          onClose={onClose}
        />
      )}
      {step.name === "sending" && (
        <SendingStep
          sent={step.sent}
          isInstalling={step.isInstalling}
          onCancel={() => (step.isInstalling ? onClose() : upload.choose(upload.file))}
        />
      )}
      {isPreview && (
        <PreviewStep
          preview={step.preview}
          error={step.error}
          onOther={() => upload.choose(null)}
          onInstall={(isDowngrade) => upload.install(step.preview, isDowngrade)}
          onClose={onClose}
        />
      )}
      {step.name === "done" && (
        <DoneStep
          plugin={step.plugin}
          version={step.version}
          message={step.message}
          onEnable={onEnable}
          onReview={onReview}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
};

type ChooseStepProps = {
  file: File | null;
  complaint: string | null;
  error: unknown;
  onChoose: (file: File | null) => void;
  onUpload: () => void;
  onClose: () => void;
};

/** Picks a package; the field is as large as its frame, so that it takes what is dropped there automatically. */
const ChooseStep = ({ file, complaint, error, onChoose, onUpload, onClose }: ChooseStepProps) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // On the way back from a later step, the button that was pressed is gone.
  useEffect(() => input.current?.focus(), []);
  return (
    <div className="grid gap-5">
      {error !== null && <UploadProblem error={error} />}
      <div className="grid gap-2">
        <label
          className={cn(
            "relative grid cursor-pointer justify-items-center gap-1 rounded-md border border-input border-dashed px-4 py-8 text-center text-sm hover:bg-accent/50 has-focus-visible:ring-2 has-focus-visible:ring-ring",
            complaint !== null && "border-destructive",
          )}
        >
          <Upload aria-hidden="true" className="mb-1 size-5 text-muted-foreground" />
          <span className="wrap-anywhere font-medium">
            {file === null ? texts.choose : texts.chosen(file.name, megabytes(file.size))}
          </span>
          <span className="text-[0.8125rem] text-muted-foreground">{texts.orDrop}</span>
          <input
            type="file"
            name="plugin"
            accept=".zip"
            ref={input}
            aria-label={texts.file}
            aria-invalid={complaint !== null || undefined}
            aria-describedby={complaint === null ? undefined : id}
            onChange={({ target }) => onChoose(target.files?.[0] ?? null)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
        </label>
        {complaint !== null && (
          <Alert severity="error">
            <span id={id}>{complaint}</span>
          </Alert>
        )}
      </div>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="outline" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button onClick={onUpload}>{texts.upload}</Button>
      </div>
    </div>
  );
};

type SendingStepProps = { sent: number; isInstalling: boolean; onCancel: () => void };

/** How much of the package has been sent, and that the server is at work on it after that. */
const SendingStep = ({ sent, isInstalling, onCancel }: SendingStepProps) => {
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

type PreviewStepProps = {
  preview: PackagePreview;
  error: unknown;
  /** Told whether the version is not newer than the installed one. */
  onInstall: (isDowngrade: boolean) => void;
  onOther: () => void;
  onClose: () => void;
};

/** What is in a package, before anything of it is stored: who made it, what it asks for, and what is in its way. */
const PreviewStep = ({ preview, error, onInstall, onOther, onClose }: PreviewStepProps) => {
  const { installedVersion, obstacles, needsDowngrade, permissions, newPermissions, dependencies } = preview;
  const content = useRef<HTMLDivElement>(null);
  // Reading begins at the top, whatever was pressed before is gone.
  useEffect(() => content.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={content} tabIndex={-1} className="grid gap-6 outline-none">
      {error !== null && <UploadProblem error={error} />}
      {obstacles.length > 0 && (
        <Alert severity="error" title={texts.obstacles}>
          <ul className="grid gap-1">
            {obstacles.map((obstacle) => (
              <li key={obstacle}>{obstacle}</li>
            ))}
          </ul>
        </Alert>
      )}
      {needsDowngrade && <Alert severity="warning">{texts.downgradeWarning}</Alert>}
      <OriginNote signature={preview.signature} changed={preview.publisherChanged} />
      <Facts preview={preview} />
      <SheetPart title={texts.asks}>
        <PermissionList
          permissions={permissions}
          {...(installedVersion !== null && { added: newPermissions })}
        />
      </SheetPart>
      {dependencies.length > 0 && <Dependencies dependencies={dependencies} />}
      {preview.hasRetainedData && <Alert severity="info">{texts.retained}</Alert>}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="outline" onClick={onOther} className="sm:mr-auto">
          {texts.other}
        </Button>
        <Button variant="outline" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button disabled={obstacles.length > 0} onClick={() => onInstall(needsDowngrade)}>
          {actionOf(preview)}
        </Button>
      </div>
    </div>
  );
};

const actionOf = ({ installedVersion, version, needsDowngrade }: PackagePreview): string => {
  if (installedVersion === null) return texts.install;
  if (installedVersion === version) return texts.again;
  return needsDowngrade ? texts.downgrade(version) : texts.update(version);
};

const Facts = ({ preview }: { preview: PackagePreview }) => {
  const { name, version, installedVersion, type, author, sizeBytes, files } = preview;
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[6rem_1fr]">
      <Fact name={texts.name}>
        <code className="font-mono text-[0.8125rem]">{name}</code>
      </Fact>
      <Fact name={texts.version}>
        {installedVersion === null ? version : texts.fromTo(installedVersion, version)}
      </Fact>
      <Fact name={texts.type}>{type}</Fact>
      {author !== null && <Fact name={texts.author}>{author}</Fact>}
      <Fact name={texts.size}>{texts.contents(megabytes(sizeBytes), files)}</Fact>
    </dl>
  );
};

const Dependencies = ({ dependencies }: Pick<PackagePreview, "dependencies">) => (
  <SheetPart title={texts.dependencies}>
    <ul className="grid gap-2 text-sm">
      {dependencies.map(({ name, range, state }) => (
        <li key={name} className="flex flex-wrap items-center justify-between gap-2">
          <span className="wrap-anywhere">{texts.needed(name, range)}</span>
          <Badge tone={tones[state]}>{texts.dependencyStates[state]}</Badge>
        </li>
      ))}
    </ul>
  </SheetPart>
);

const tones = { enabled: "success", disabled: "warning", missing: "danger", outdated: "danger" } as const;

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
const DoneStep = ({ plugin, version, message, onEnable, onReview, onClose }: DoneStepProps) => {
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

/** Why a package was not taken, with each problem that was found in it. */
const UploadProblem = ({ error }: { error: unknown }) => {
  const problems = error instanceof ApiError ? error.errors : [];
  return (
    <Alert severity="error" title={failureText(error, texts.failed)}>
      {problems.length > 0 && (
        <ul aria-label={texts.problems} className="grid max-h-48 list-disc gap-1 overflow-y-auto pl-4">
          {problems.map(({ path, message }) => (
            <li key={`${path}\n${message}`}>
              {path !== "" && <code className="font-mono text-xs">{path}: </code>}
              {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
};

import { useEffect, useRef } from "react";
import type { PackagePreview } from "#contract/plugins.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Badge } from "#ui/components/ui/badge.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Fact } from "../../fact.tsx";
import { SheetPart } from "../../sheet-part.tsx";
import { OriginNote } from "../consent/origin-note.tsx";
import { PermissionList } from "../consent/permission-list.tsx";
import { megabytes } from "./package-file.ts";
import { uploadTexts as texts } from "./texts.ts";
import { UploadProblem } from "./upload-problem.tsx";

type PreviewStepProps = {
  preview: PackagePreview;
  error: unknown;
  /** Told whether the version is not newer than the installed one. */
  onInstall: (isDowngrade: boolean) => void;
  onOther: () => void;
  onClose: () => void;
};

/** What is in a package, before anything of it is stored: who made it, what it asks for, and what stands in its way. */
export const PreviewStep = ({ preview, error, onInstall, onOther, onClose }: PreviewStepProps) => {
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

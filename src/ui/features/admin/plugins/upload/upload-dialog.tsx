import type { Plugin } from "#contract/plugins.ts";
import { Dialog } from "#ui/components/ui/dialog.tsx";
import { ChooseStep } from "./choose-step.tsx";
import { DoneStep } from "./done-step.tsx";
import { PreviewStep } from "./preview-step.tsx";
import { SendingStep } from "./sending-step.tsx";
import { uploadTexts as texts } from "./texts.ts";
import { useUpload } from "./use-upload.ts";

type UploadDialogProps = {
  /** What was dropped on the page. */
  file: File | null;
  onClose: () => void;
  onChange: () => void;
  onEnable: (plugin: Plugin) => void;
  onReview: (plugin: Plugin) => void;
};

/** A package on its way in: chosen, looked into, installed. Whoever leaves in between leaves nothing behind. */
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

import { Upload } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { cn } from "#ui/lib/cn.ts";
import { megabytes } from "./package-file.ts";
import { uploadTexts as texts } from "./texts.ts";
import { UploadProblem } from "./upload-problem.tsx";

type ChooseStepProps = {
  file: File | null;
  complaint: string | null;
  error: unknown;
  onChoose: (file: File | null) => void;
  onUpload: () => void;
  onClose: () => void;
};

/** Picks a package; the field is as large as its frame, so that it takes what is dropped there by itself. */
export const ChooseStep = ({ file, complaint, error, onChoose, onUpload, onClose }: ChooseStepProps) => {
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

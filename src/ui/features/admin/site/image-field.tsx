import { ImageUp } from "lucide-react";
import { useId, useRef, useState } from "react";
import { imageFor, type SiteImage } from "#contract/site-images.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { ApiError, failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import type { SettingsForm } from "../settings/use-settings-form.ts";
import { filesOf } from "./draw-images.ts";
import { sitePageTexts as texts } from "./texts.ts";

type ImageFieldProps = { form: SettingsForm; image: SiteImage; label: string; hint?: string | undefined };

/** An image of the site: what is chosen, and the ways to choose another or none. It is uploaded immediately, and used once the form is saved. */
export const ImageField = ({ form, image, label, hint }: ImageFieldProps) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const path = `site.${image}` as const;
  const shown =
    imageFor(form.draft[path], image === "icon" ? "icon" : "full", image === "icon" ? 192 : undefined) ??
    imageFor(form.draft[path], "drawn");
  const error = failure ?? form.errors[path];

  const choose = async (file: File) => {
    setIsBusy(true);
    setFailure(null);
    try {
      const { data } = await client.settings.uploadImage({ image, files: await filesOf(image, file) });
      form.set(path, data.value);
    } catch (problem) {
      setFailure(saidOf(problem));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <fieldset
      aria-describedby={`${id}-hint${error === undefined ? "" : ` ${id}-error`}`}
      className="grid min-w-0 content-start gap-2"
    >
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      <div className="flex flex-wrap items-center gap-3">
        <span
          className={`grid h-16 w-32 shrink-0 place-items-center rounded-md border p-2 ${image === "logoDark" ? "bg-[#11100e]" : "bg-[#fcfbf9]"}`}
        >
          {shown === null ? (
            <ImageUp aria-hidden="true" className="size-5 text-[#69625b]" />
          ) : (
            <img src={shown.address} alt={texts.chosen(label)} className="max-h-12 max-w-28 object-contain" />
          )}
        </span>
        <Button variant="outline" size="sm" isBusy={isBusy} onClick={() => input.current?.click()}>
          {shown === null ? texts.choose : texts.chooseOther}
          <span className="sr-only"> {label}</span>
        </Button>
        {shown !== null && shown.use !== "drawn" && (
          <Button variant="outline" size="sm" onClick={() => form.set(path, "")}>
            {texts.remove}
            <span className="sr-only"> {label}</span>
          </Button>
        )}
        <input
          ref={input}
          type="file"
          name={path}
          accept="image/png,image/jpeg,image/webp,image/svg+xml,image/x-icon,.ico"
          aria-label={texts.fileOf(label)}
          tabIndex={-1}
          className="sr-only"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            // The same file again is another choice.
            target.value = "";
            if (file !== undefined) void choose(file);
          }}
        />
      </div>
      <p id={`${id}-hint`} className="text-[0.8125rem] text-muted-foreground leading-5">
        {hint}
      </p>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="text-[0.8125rem] text-destructive leading-5">
          {error}
        </p>
      )}
    </fieldset>
  );
};

const saidOf = (problem: unknown): string => {
  if (problem instanceof ApiError)
    return problem.errors[0]?.message ?? failureText(problem, texts.uploadFailed);
  return problem instanceof Error ? problem.message : texts.uploadFailed;
};

import { useEffect, useRef, useState } from "react";
import type { PackagePreview, Plugin } from "#contract/plugins.ts";
import { tellPluginsChanged } from "#ui/lib/plugin-changes.ts";
import { fileComplaint } from "./package-file.ts";
import { inspectPackage, type SendOptions, uploadPackage } from "./send-package.ts";

/** How far an upload is. `error` is how the step after it last failed, `null` if it did not. */
export type UploadStep =
  | { name: "choose"; complaint: string | null; error: unknown }
  /** `sent` is the part of the package that has been sent, 0 to 1. */
  | { name: "sending"; sent: number; isInstalling: boolean }
  | { name: "preview"; preview: PackagePreview; error: unknown }
  | { name: "done"; plugin: Plugin; version: string; message: string };

const start: UploadStep = { name: "choose", complaint: null, error: null };

/** One upload from the choice of a file over the look into it to the installed plugin; each step can be left. */
export const useUpload = (dropped: File | null, onInstalled: () => void) => {
  const [file, setFile] = useState<File | null>(dropped);
  const [step, setStep] = useState<UploadStep>(() => chosen(dropped));
  const sending = useRef<AbortController | null>(null);
  useEffect(() => () => sending.current?.abort(), []);

  const choose = (next: File | null) => {
    sending.current?.abort();
    setFile(next);
    setStep(chosen(next));
  };
  const run = async (
    isInstalling: boolean,
    work: (options: SendOptions) => Promise<UploadStep>,
    failed: (error: unknown) => UploadStep,
  ) => {
    sending.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    sending.current = controller;
    const show = (next: UploadStep) => signal.aborted || setStep(next);
    show({ name: "sending", sent: 0, isInstalling });
    try {
      show(await work({ signal, onProgress: (sent) => show({ name: "sending", sent, isInstalling }) }));
    } catch (error) {
      show(failed(error));
    }
  };

  const inspect = () => {
    const complaint = fileComplaint(file);
    if (file === null || complaint !== null) return setStep({ name: "choose", complaint, error: null });
    void run(
      false,
      async (options) => ({ name: "preview", preview: await inspectPackage(file, options), error: null }),
      (error) => ({ name: "choose", complaint: null, error }),
    );
  };

  const install = (preview: PackagePreview, isDowngrade: boolean) => {
    if (file === null) return;
    void run(
      true,
      async (options) => {
        try {
          const { message, data } = await uploadPackage(file, isDowngrade, options);
          return { name: "done", plugin: data, version: preview.version, message };
        } finally {
          // Whatever was left half-way may have been done all the same.
          onInstalled();
          tellPluginsChanged();
        }
      },
      (error) => ({ name: "preview", preview, error }),
    );
  };

  return { file, step, choose, inspect, install };
};

const chosen = (file: File | null): UploadStep =>
  file === null ? start : { ...start, complaint: fileComplaint(file) };

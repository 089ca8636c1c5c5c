import { useEffect, useRef, useState } from "react";
import type { InspectedPackage, InstalledPackage } from "#api/modules/plugins/routes.ts";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { uploadTexts as refusals } from "#contract/plugin-texts.ts";
import { type PackagePreview, type Plugin, packageBytes } from "#contract/plugins.ts";
import { ApiError, api, errorFromAnswer, parsedJson, withProof } from "#ui/lib/api.ts";
import { reportAnswer, reportNoAnswer } from "#ui/lib/connection.ts";
import { tellPluginsChanged } from "#ui/lib/plugin-changes.ts";
import { counted } from "../../format.ts";

/** How far an upload is. `error` is how the step after it last failed, `null` if it did not. */
type UploadStep =
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

/** How the sending is followed and given up. `onProgress` is told the part that has been sent, 0 to 1. */
type SendOptions = { onProgress: (sent: number) => void; signal: AbortSignal };

/** Has the server look into a package; it stores nothing. */
const inspectPackage = async (file: File, options: SendOptions): Promise<PackagePreview> => {
  const { data } = await send<InspectedPackage>("/api/plugins/inspect", file, options);
  return data;
};

/** Installs a package, disabled, or as another version of an installed plugin. */
const uploadPackage = (file: File, isDowngrade: boolean, options: SendOptions): Promise<InstalledPackage> =>
  send(`/api/plugins/upload${isDowngrade ? "?allowDowngrade=true" : ""}`, file, options);

// 20 MB over a slow line, and what the server does with them.
const timeoutMs = 300_000;

const send = <T>(path: string, file: File, options: SendOptions): Promise<T> =>
  withProof(() => sendOnce<T>(path, file, options));

/** Not by `fetch`, which does not tell how much of a body has been sent. */
const sendOnce = async <T>(path: string, file: File, { onProgress, signal }: SendOptions): Promise<T> => {
  const request = new XMLHttpRequest();
  request.open("POST", path);
  request.timeout = timeoutMs;
  request.setRequestHeader("accept", "application/json");
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
  request.upload.onload = () => onProgress(1);
  const stop = () => request.abort();
  signal.addEventListener("abort", stop);
  const body = new FormData();
  body.set("plugin", file);
  await ended(request, body);
  signal.removeEventListener("abort", stop);
  signal.throwIfAborted();
  const { status } = request;
  if (status === 0) {
    reportNoAnswer();
    throw new ApiError(pageAuthTexts.networkFailed, { status: 0, code: "NETWORK" });
  }
  reportAnswer();
  const answer = parsedJson(request.responseText);
  if (status >= 200 && status < 300) return asAnswer<T>(answer);
  // Only calls of the API's own client end the session in the browser: one more makes it notice.
  if (status === 401) await api.get("/api/admin");
  throw errorFromAnswer({ status, headers: headersOf(request) }, answer, pageAuthTexts.networkFailed);
};

const ended = (request: XMLHttpRequest, body: FormData): Promise<void> =>
  new Promise((resolve) => {
    request.onloadend = () => resolve();
    request.send(body);
  });

const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers();
  for (const name of ["ratelimit", "retry-after"]) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
};

/** The caller names the shape; the server checks every answer against its published schema before sending it. */
const asAnswer = <T>(body: unknown): T => body as T;

/** What is wrong with the chosen file as far as can be seen from outside; `null` for nothing. */
export const fileComplaint = (file: Pick<File, "name" | "size"> | null): string | null => {
  if (file === null) return uploadTexts.noFile;
  if (!file.name.toLowerCase().endsWith(".zip")) return uploadTexts.onlyZip;
  return file.size > packageBytes ? uploadTexts.tooLarge : null;
};

const leastMB = 0.01;

/** A size in megabytes with two decimals, as the reader's language writes it; the smallest files are 0.01 MB. */
export const megabytes = (bytes: number, locale?: string): string =>
  new Intl.NumberFormat(locale, {
    style: "unit",
    unit: "megabyte",
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(Math.max(leastMB, bytes / 1_000_000));

/** Words of the dialog that uploads a package. */
export const uploadTexts = {
  ...refusals,
  title: "Upload Plugin",
  lead: "Nothing in the package runs until you review its permissions and enable it.",
  file: "Plugin package",
  choose: "Choose a .zip file",
  orDrop: "or drop it anywhere on the page",
  chosen: (name: string, size: string) => `${name} (${size})`,
  upload: "Upload",
  cancel: "Cancel",
  close: "Close",
  sending: (percent: string) => `Sending the package: ${percent}`,
  checking: "Checking the package",
  installing: "Installing",
  failed: "Error uploading plugin",
  problems: "Problems",
  install: "Install",
  update: (version: string) => `Update to ${version}`,
  again: "Install again",
  downgrade: (version: string) => `Downgrade to ${version}`,
  downgradeWarning:
    "This version is not newer than the installed one. It may not be able to use data stored by the installed version.",
  other: "Choose another file",
  name: "Name",
  version: "Version",
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  type: "Type",
  author: "Author",
  size: "Size",
  contents: (size: string, files: number) => `${size}, ${counted(files, "file")}`,
  asks: "Permissions it requests",
  dependencies: "Dependencies",
  needed: (name: string, range: string) => `${name} ${range}`,
  dependencyStates: {
    enabled: "Enabled",
    disabled: "Disabled",
    missing: "Not installed",
    outdated: "Wrong version",
  },
  obstacles: "This plugin can't be installed",
  retained: "Data from an earlier installation is still here and will be used again.",
  isOff: "It is disabled: none of its code runs yet.",
  review: "View permissions",
  enable: "Enable now",
} as const;

import { type ComponentProps, lazy, Suspense } from "react";
import type { UploadDialog as Dialog } from "./upload-dialog.tsx";

const Loaded = lazy(async () => ({ default: (await import("./upload-dialog.tsx")).UploadDialog }));

/** The dialog of an upload, whose code comes when it is first opened. */
export const UploadDialog = (props: ComponentProps<typeof Dialog>) => (
  <Suspense fallback={null}>
    <Loaded {...props} />
  </Suspense>
);

import { Upload } from "lucide-react";
import { pluginListTexts as texts } from "./texts.ts";

/** Shows that a file can be let go anywhere. */
export const DropCurtain = () => (
  <div
    role="status"
    className="pointer-events-none fixed inset-3 z-50 grid place-content-center justify-items-center gap-3 rounded-lg border-2 border-primary border-dashed bg-background/90 font-medium"
  >
    <Upload aria-hidden="true" className="size-6 text-primary" />
    {texts.drop}
  </div>
);

import { Alert } from "#ui/components/ui/alert.tsx";
import { ApiError } from "#ui/lib/api.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { uploadTexts as texts } from "./texts.ts";

/** Why a package was not taken, with each problem that was found in it. */
export const UploadProblem = ({ error }: { error: unknown }) => {
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

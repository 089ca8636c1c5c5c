import bash from "./atrium.bash" with { type: "text" };
import fish from "./atrium.fish" with { type: "text" };
import powershell from "./atrium.ps1" with { type: "text" };
import zsh from "./atrium.zsh" with { type: "text" };

/** The shells that completions are made for. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/**
 * What a shell reads to complete `atrium`: it asks `atrium completion <shell> -- <words>`, whose first line names what may
 * stand there (`words`, `files` or `folders`) and whose others are a word, a tab and what it means.
 */
export const shellScripts: Record<Shell, string> = { bash, zsh, fish, powershell };

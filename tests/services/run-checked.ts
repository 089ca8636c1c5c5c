/** Runs a command to its end without input; throws with what it printed when it fails. */
export const runChecked = (command: string[], cwd: string): void => {
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdio: ["ignore", "ignore", "pipe"] });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed (${exitCode}): ${stderr.toString()}`);
};
